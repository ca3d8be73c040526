// Asks for the name of what is made or renamed in the tree, or whether something is to be deleted.
import { visibleLine } from '@codelab/protocol';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../error-help.ts';
import { currentText, useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  makeFile,
  makeFolder,
  remove,
  rename,
  type TreeEdit,
  unsavedBelow,
  useTreeEdit,
} from './tree-edit.ts';

export function TreeEditDialog() {
  const edit = useTreeEdit((state) => state.edit);
  if (edit === undefined) return null;
  const onClose = (): void => useTreeEdit.setState({ edit: undefined });
  if (edit.kind === 'delete') return <DeleteDialog edit={edit} onClose={onClose} />;
  return <NameDialog key={edit.kind + edit.path} edit={edit} onClose={onClose} />;
}

type Props = { edit: TreeEdit; onClose(): void };

function NameDialog({ edit, onClose }: Props) {
  const words = useViewText().files;
  const { kind, path } = edit;
  const { folder, oldName } = partsOf(edit);
  const [typed, setTyped] = useState(oldName);
  const field = useFieldWithStem(oldName, edit.isFolder);
  const name = typed.trim().replace(/^\/+|\/+$/g, '');
  const { isBusy, problem, act } = useAct(onClose);
  const isSame = name === '' || name === oldName;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSame) return;
    const to = folder === '' ? name : `${folder}/${name}`;
    if (kind === 'rename') act(() => rename(path, to), words.renamed(visibleLine(to)));
    else act(() => (kind === 'file' ? makeFile(to) : makeFolder(to)), words.made(visibleLine(to)));
  };
  const isUnsaved = kind === 'rename' && unsavedBelow(path);
  const form = 'tree-edit';
  return (
    <Dialog
      isOpen
      size="small"
      title={words.editTitles[kind]}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" form={form} tone="strong" disabled={isBusy || isUnsaved || isSame}>
            {words.editVerbs[kind]}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-2">
        <TextField
          ref={field}
          data-autofocus
          label={folder === '' ? words.nameField : words.nameIn(visibleLine(folder))}
          value={typed}
          maxLength={1000}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          problem={isUnsaved ? words.saveFirst : problem}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
    </Dialog>
  );
}

/** A new name goes into the folder; what is renamed keeps its own. */
function partsOf({ kind, path }: TreeEdit): { folder: string; oldName: string } {
  if (kind !== 'rename') return { folder: path, oldName: '' };
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, Math.max(0, at - 1)), oldName: path.slice(at) };
}

function DeleteDialog({ edit: { path, isFolder }, onClose }: Props) {
  const words = useViewText().files;
  const { isBusy, problem, act } = useAct(onClose);
  const shown = visibleLine(path);
  return (
    <Dialog
      isOpen
      size="small"
      title={words.editTitles.delete}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            tone="danger"
            disabled={isBusy}
            onClick={() => act(() => remove(path, isFolder), words.removed(shown))}
          >
            {words.editVerbs.delete}
          </Button>
        </>
      }
    >
      <p className="wrap-anywhere">{isFolder ? words.removeFolder(shown) : words.removeFile(shown)}</p>
      {unsavedBelow(path) && <p className="pt-2 text-warn">{words.removeUnsaved}</p>}
      {problem !== undefined && (
        <p role="alert" className="pt-2 text-bad wrap-anywhere">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

/** The name without its ending is marked, so that typing replaces just that. */
function useFieldWithStem(name: string, isFolder: boolean) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const dot = isFolder ? -1 : name.lastIndexOf('.');
    // The dialog focuses the field first.
    const frame = requestAnimationFrame(() =>
      field.current?.setSelectionRange(0, dot > 0 ? dot : name.length),
    );
    return () => cancelAnimationFrame(frame);
  }, [name, isFolder]);
  return field;
}

/** Runs an edit. Where it is refused, the dialog stays open and says why. */
function useAct(onDone: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const act = (work: () => Promise<void>, done: string): void => {
    setIsBusy(true);
    work()
      .then(() => {
        toast(done);
        onDone();
      })
      .catch((error: unknown) => {
        setProblem(errorMessage(error, currentText()));
        setIsBusy(false);
      });
  };
  return { isBusy, problem, act };
}
