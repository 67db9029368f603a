"""What the live panels are called, for what is there before they are."""

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def panel_name(key: str) -> str:
    """The name of the panel with this key, for people; empty where there is none."""
    names = {
        "decode_rate": translate("PanelNames", "Decode rate"),
        "time_per_token": translate("PanelNames", "Time per output token"),
        "first_token": translate("PanelNames", "Time to first token"),
        "limits": translate("PanelNames", "Share of the limit"),
        "kv_cache": translate("PanelNames", "KV cache"),
        "kv_seen": translate("PanelNames", "Inside the KV cache"),
        "memory": translate("PanelNames", "Device memory"),
        "memory_map": translate("PanelNames", "Memory map"),
        "cpu": translate("PanelNames", "CPU"),
        "cpu_power": translate("PanelNames", "CPU power"),
        "gpu_use": translate("PanelNames", "GPU use"),
        "gpu_memory": translate("PanelNames", "GPU memory"),
        "gpu_power": translate("PanelNames", "GPU power"),
        "gpu_temperature": translate("PanelNames", "GPU temperature"),
        "watching": translate("PanelNames", "Cost of watching"),
    }
    return names.get(key, "")
