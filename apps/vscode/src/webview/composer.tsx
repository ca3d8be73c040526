// The message field: Enter sends, Shift-Enter begins a new line. Below it the attached context, and the model.
import { cx } from '@codelab/web';
import { ArrowUp, FileText, Square } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { postToExtension, setDraft, useStore } from './store.ts';
import { useWords } from './words.ts';

export function ChatComposer() {
  const words = useWords();
  const draft = useStore((state) => state.draft);
  const isReady = useStore(({ state }) => state.connection === 'live');
  const isWorking = useIsWorking();
  const [agent, setAgent] = useState('');
  const [isAbout, setAbout] = useState(true);
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    if (field.current === null) return;
    field.current.style.height = 'auto';
    field.current.style.height = `${Math.min(field.current.scrollHeight, 200)}px`;
  }, [draft]);
  const canSend = isReady && !isWorking && draft.trim() !== '';
  const send = (): void => {
    if (!canSend) return;
    postToExtension({ type: 'send', text: draft.trim(), agent, withContext: isAbout });
    setDraft('');
  };
  return (
    <form
      className="field mx-3 mb-3 flex flex-col gap-1 rounded-base p-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        aria-label={words.placeholder}
        placeholder={words.placeholder}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="resize-none bg-transparent outline-none placeholder:text-faint"
      />
      <div className="flex items-center gap-2">
        <ContextChip isOn={isAbout} onChange={setAbout} />
        <AgentPicker agent={agent} onChange={setAgent} />
        <SendButton isWorking={isWorking} canSend={canSend} />
      </div>
    </form>
  );
}

function useIsWorking(): boolean {
  return useStore(({ model, version }) => {
    const turn = version >= 0 ? model.turns.latest : undefined;
    return turn !== undefined && turn.endedAt === undefined;
  });
}

function SendButton({ isWorking, canSend }: { isWorking: boolean; canSend: boolean }) {
  const words = useWords();
  const look = 'ml-auto flex size-6 shrink-0 items-center justify-center rounded-base disabled:opacity-40';
  if (isWorking)
    return (
      <button
        type="button"
        aria-label={words.stop}
        title={words.stop}
        className={cx(look, 'secondary')}
        onClick={() => postToExtension({ type: 'cancel' })}
      >
        <Square aria-hidden className="size-3 fill-current" />
      </button>
    );
  return (
    <button
      type="submit"
      aria-label={words.send}
      title={words.send}
      disabled={!canSend}
      className={cx(look, 'primary')}
    >
      <ArrowUp aria-hidden className="size-3.5" />
    </button>
  );
}

/** The active file and the selection. A click leaves the context out. */
function ContextChip({ isOn, onChange }: { isOn: boolean; onChange(isOn: boolean): void }) {
  const words = useWords();
  const context = useStore((state) => state.context);
  if (context === null) return null;
  const name = context.file.split('/').at(-1) ?? context.file;
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={`${words.attach}: ${context.file}`}
      onClick={() => onChange(!isOn)}
      className={cx(
        'flex min-w-0 items-center gap-1 rounded-small border border-line px-1.5 text-small',
        isOn ? 'text-text' : 'text-faint line-through',
      )}
    >
      <FileText aria-hidden className="size-3 shrink-0" />
      <span className="truncate">
        {name}
        {context.lines !== '' && `:${context.lines}`}
      </span>
      {context.problems > 0 && <span className="text-warn">⚠ {context.problems}</span>}
    </button>
  );
}

function AgentPicker({ agent, onChange }: { agent: string; onChange(agent: string): void }) {
  const words = useWords();
  const agents = useStore(({ state }) => state.agents);
  if (agents.length === 0) return null;
  return (
    <select
      aria-label={words.agent}
      value={agent}
      onChange={({ target }) => onChange(target.value)}
      className="menu max-w-32 min-w-0 rounded-small border border-line px-1 text-small"
    >
      <option value="">{words.auto}</option>
      {agents.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
