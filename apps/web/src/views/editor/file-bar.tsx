// The bar above the text: the file's path and its actions.

import { visibleLine } from '@codelab/protocol';
import { gotoLine, openSearchPanel } from '@codemirror/search';
import { ArrowDownToLine, Code, Eye, Hash, RotateCw, Search } from 'lucide-react';
import { useActions } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { viewOf } from './buffers.ts';
import { useIsDirty } from './dirty-store.ts';
import { lookAgain, saveEditorFile } from './keep-file.ts';
import type { ReadyFile } from './open-files.ts';
import { previewOf, togglePreview, useIsPreview } from './preview/previews.ts';

type Props = { path: string; file: ReadyFile };

export function FileBar({ path, file }: Props) {
  const words = useViewText().editor;
  const isDirty = useIsDirty(path);
  const find = inView(path, openSearchPanel);
  const goTo = inView(path, gotoLine);
  useActions([
    { id: 'editor.save', group: 'other', label: words.save, run: () => void saveEditorFile(path) },
    { id: 'editor.find', group: 'other', label: words.find, run: find },
    { id: 'editor.line', group: 'other', label: words.goToLine, run: goTo },
  ]);
  return (
    <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-2 pl-3">
      <Path path={path} />
      {isDirty && (
        <Badge tone="accent" className="ml-1">
          {words.unsaved}
        </Badge>
      )}
      {file.isReadOnly && <Badge tone="warn">{words.readOnly}</Badge>}
      <span className="flex-1" />
      <PreviewButton path={path} />
      <IconButton size="small" icon={Search} label={words.find} shortcut="Mod+F" onClick={find} />
      <IconButton size="small" icon={Hash} label={words.goToLine} shortcut="Mod+Alt+G" onClick={goTo} />
      <IconButton size="small" icon={RotateCw} label={words.reveal} onClick={() => void lookAgain(path)} />
      {!file.isReadOnly && <SaveButton path={path} file={file} />}
    </header>
  );
}

/** Runs a command of the editor in the view of the file, where it has one. */
function inView(path: string, command: typeof gotoLine): () => void {
  return () => {
    const view = viewOf(path);
    if (view !== undefined) command(view);
  };
}

function SaveButton({ path, file }: Props) {
  const words = useViewText().editor;
  const isDirty = useIsDirty(path);
  return (
    <Button
      size="small"
      tone={isDirty ? 'strong' : 'plain'}
      disabled={!isDirty || file.isSaving}
      aria-keyshortcuts={shortcuts['editor.save']}
      icon={<ArrowDownToLine aria-hidden className="size-3.5" />}
      onClick={() => void saveEditorFile(path)}
    >
      {file.isSaving ? words.saving : words.save}
    </Button>
  );
}

/** Between the text and what it stands for. */
function PreviewButton({ path }: { path: string }) {
  const words = useViewText().editor;
  const isPreview = useIsPreview(path);
  if (previewOf(path) === undefined) return null;
  return (
    <Button
      size="small"
      tone="quiet"
      aria-pressed={isPreview}
      icon={isPreview ? <Code aria-hidden className="size-3.5" /> : <Eye aria-hidden className="size-3.5" />}
      onClick={() => togglePreview(path)}
    >
      {isPreview ? words.source : words.preview}
    </Button>
  );
}

function Path({ path }: { path: string }) {
  const at = path.lastIndexOf('/') + 1;
  return (
    <h2 className="flex min-w-0 text-small" title={visibleLine(path)}>
      <span className="truncate text-muted">{visibleLine(path.slice(0, at))}</span>
      <span className="shrink-0 font-medium">{visibleLine(path.slice(at))}</span>
    </h2>
  );
}
