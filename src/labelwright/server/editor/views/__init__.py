"""New studies, the editor, and rehearsals."""

from labelwright.server.editor.views.editor import corpus, download, edit
from labelwright.server.editor.views.new import new
from labelwright.server.editor.views.rehearsal import rehearsal

__all__ = ["corpus", "download", "edit", "new", "rehearsal"]
