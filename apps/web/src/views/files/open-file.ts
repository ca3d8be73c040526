// Opens a file of the workspace in the editor.
import { visibleLine } from '@codelab/protocol';
import { showView } from '../../layout/show-view.ts';

export function openFile(path: string): void {
  showView('file', path, visibleLine(path.slice(path.lastIndexOf('/') + 1)));
}
