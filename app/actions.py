"""What a message on screen can offer to do."""

from enum import StrEnum


class Action(StrEnum):
    """What a message offers to do."""

    OPEN_MODEL = "open_model"
    RELOAD = "reload"
    RETRY = "retry"
    NEW_CHAT = "new_chat"
    ENGINE_SETTINGS = "engine_settings"
    CHAT_SETTINGS = "chat_settings"
    DROP_OLDEST = "drop_oldest"
    STOP = "stop"
    UNDO_DELETE = "undo_delete"
    INSTALL_TORCH = "install_torch"
