"""What two token sequences share."""


def common_prefix(left: list[int], right: list[int]) -> int:
    """Length of the longest common prefix. Halves compare in C, so that long ones cost little."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
