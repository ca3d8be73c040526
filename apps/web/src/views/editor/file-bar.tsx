// Above the text: where the file lies, and what can be done with it.

import { visibleLine } from '@codelab/protocol';
import { gotoLine, openSearchPanel } from '@codemirror/search';
import { ArrowDownToLine, Code, Eye, Hash, RotateCw, Search } from 'lucide-react';
import { useActions } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { viewOf } from './buffers.ts';
import { useIsDirty } from './dirty-store.ts';
import { lookAgain, saveEditorFile } from './keep-file.ts';
import type { ReadyFile } from './open-files.ts';
import { previewOf, togglePreview, useIsPreview } from './preview/previews.ts';

export function FileBar({ path, file }: { path: string; file: ReadyFile }) {
  const words = useText().editor;
  const isDirty = useIsDirty(path);
  const save = (): void => void saveEditorFile(path);
  const inView = (command: typeof gotoLine) => (): void => {
    const view = viewOf(path);
    if (view !== undefined) command(view);
  };
  useActions([
    { id: 'editor.save', group: 'other', label: words.save, run: save },
    { id: 'editor.find', group: 'other', label: words.find, run: inView(openSearchPanel) },
    { id: 'editor.line', group: 'other', label: words.goToLine, run: inView(gotoLine) },
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
      <IconButton
        size="small"
        icon={Search}
        label={words.find}
        shortcut="Mod+F"
        onClick={inView(openSearchPanel)}
      />
      <IconButton
        size="small"
        icon={Hash}
        label={words.goToLine}
        shortcut="Mod+Alt+G"
        onClick={inView(gotoLine)}
      />
      <IconButton size="small" icon={RotateCw} label={words.reveal} onClick={() => void lookAgain(path)} />
      {!file.isReadOnly && (
        <Button
          size="small"
          tone={isDirty ? 'strong' : 'plain'}
          disabled={!isDirty || file.isSaving}
          aria-keyshortcuts={shortcuts['editor.save']}
          icon={<ArrowDownToLine aria-hidden className="size-3.5" />}
          onClick={save}
        >
          {file.isSaving ? words.saving : words.save}
        </Button>
      )}
    </header>
  );
}

/** Between the text and what it stands for. */
function PreviewButton({ path }: { path: string }) {
  const words = useText().editor;
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
