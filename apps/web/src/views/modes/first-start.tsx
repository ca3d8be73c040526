// The first start in a folder: two ways of working, explained once. The choice is saved for the folder; a user who skips it is asked each
// time.
import { Eye, MessageCircleQuestionMark, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { runAction } from '../../actions/actions.ts';
import { changeSettings, useSettings } from '../../settings-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { useModeWords } from './mode-words.ts';

type FirstMode = 'balanced' | 'review';

export function FirstStart() {
  const words = useModeWords();
  const settings = useSettings();
  const [isBusy, setIsBusy] = useState(false);
  if (settings === undefined) return null;
  const { sandbox } = settings;
  const choose = (mode: FirstMode): void => {
    setIsBusy(true);
    changeSettings({ workspace_mode: mode })
      .then(() => runAction('conversation.focus'))
      .catch(toastError)
      .finally(() => setIsBusy(false));
  };
  return (
    <section aria-labelledby="first-start" className="flex w-full max-w-2xl flex-col gap-3 text-left">
      <div className="text-center">
        <h2 id="first-start" className="text-[1.375rem] leading-tight font-semibold tracking-tight">
          {words.title}
        </h2>
        <p className="mt-1 text-muted">{words.hint}</p>
      </div>
      <div className="grid gap-3 two:grid-cols-2">
        {(['balanced', 'review'] as const).map((mode) => (
          <ModeCard key={mode} mode={mode} isBusy={isBusy} onChoose={() => choose(mode)} />
        ))}
      </div>
      {(sandbox.sandbox === 'none' || sandbox.choice === 'off') && (
        <p className="flex items-start gap-2 rounded-base bg-warn-soft px-3 py-2 text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {words.noSandbox(sandbox.why === undefined ? '' : ` (${sandbox.why.replace(/\.$/, '')})`)}
        </p>
      )}
      <p className="text-small text-muted">{words.always}</p>
    </section>
  );
}

type CardProps = { mode: FirstMode; isBusy: boolean; onChoose(): void };

function ModeCard({ mode, isBusy, onChoose }: CardProps) {
  const words = useModeWords();
  const { modes } = useText().settings;
  const Icon = mode === 'review' ? Eye : MessageCircleQuestionMark;
  return (
    <div className="flex flex-col gap-2 rounded-large border border-line bg-raised p-4">
      <h3 className="flex items-center gap-2 font-semibold">
        <Icon aria-hidden className="size-4 shrink-0 text-accent" />
        {modes[mode]}
      </h3>
      <ul className="flex flex-1 list-disc flex-col gap-1 pl-4 text-muted">
        {words[mode].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button tone="strong" disabled={isBusy} onClick={onChoose}>
        {words.choose(modes[mode])}
      </Button>
    </div>
  );
}
