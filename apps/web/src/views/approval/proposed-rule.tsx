// A rule before it is kept: in a plain sentence, for whom it holds, what it would have decided, and word for word.
import type { PastCall, ProposedRule as Proposal, RuleScope } from '@codelab/api';
import { type Rule, visible, visibleLine } from '@codelab/protocol';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { useCall } from '../../session/session-store.ts';
import { dateTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CallStateMark } from '../conversation/call-state-mark.tsx';

type Props = {
  proposed: Extract<Proposal, { rule: Rule }>;
  scope: RuleScope;
  onScope(scope: RuleScope): void;
  /** Arguments that are left free. */
  widen: readonly string[];
  onWiden(names: readonly string[]): void;
};

export function ProposedRule({ proposed, scope, onScope, widen, onWiden }: Props) {
  const words = useText().approval;
  const { rule, scopes, text, matches, total_matches: total } = proposed;
  return (
    <>
      <Sentence rule={rule} scope={scope} />
      <Choice
        label={words.scope}
        value={scope}
        options={scopes.map((value) => ({
          value,
          label: words.scopes[value],
          hint: words.scopeHints[value],
        }))}
        onChange={onScope}
      />
      <FreeArguments names={proposed.arguments ?? []} widen={widen} onWiden={onWiden} />
      <PastCalls calls={matches} total={total} />
      <div>
        <h3 className="mb-1 text-small font-medium text-muted">{words.exactRule}</h3>
        <p className="mb-1 text-small wrap-anywhere">{visibleLine(text)}</p>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
          tabIndex={0}
          className="max-h-50 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
        >
          {visible(JSON.stringify(rule, null, 2))}
        </pre>
      </div>
    </>
  );
}

function FreeArguments({
  names,
  widen,
  onWiden,
}: Pick<Props, 'widen' | 'onWiden'> & { names: readonly string[] }) {
  const words = useText().approval;
  if (names.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-small font-medium text-muted">{words.freeArguments}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={<span className="font-mono text-small">{visibleLine(name)}</span>}
          isChecked={widen.includes(name)}
          onChange={(isFree) => onWiden(isFree ? [...widen, name] : widen.filter((one) => one !== name))}
        />
      ))}
    </fieldset>
  );
}

function Sentence({ rule, scope }: { rule: Rule; scope: RuleScope }) {
  const words = useText().approval;
  const isAllowed = rule.effect === 'allow';
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  const say = isAllowed ? words.willRun : words.willBeRefused;
  return (
    <p className="flex gap-2.5 rounded-base border border-line bg-surface px-3 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${isAllowed ? 'text-good' : 'text-bad'}`} />
      <span className="min-w-0 text-read leading-5 wrap-anywhere">
        {say(whatOf(rule, words), words.inScope[scope])}
        {rule.sandboxed === true && ` ${words.onlySandboxed}`}
        {rule.prints !== undefined && rule.prints.length > 0 && ` ${words.sameBody}`}
      </span>
    </p>
  );
}

function whatOf({ tool, path, command }: Rule, words: ReturnType<typeof useText>['approval']): string {
  if (command !== undefined) return `“${spell(command)}”`;
  const name = tool === undefined ? words.everyTool : spell(tool);
  return path === undefined ? name : words.onPath(name, spell(path));
}

function spell(patterns: string | readonly string[]): string {
  return visibleLine([patterns].flat().join(', '));
}

/** The calls of the past that a rule would have decided: when, what, and what became of it where this session knows. */
const few = 8;

function PastCalls({ calls, total }: { calls: readonly PastCall[]; total: number }) {
  const words = useText().approval;
  if (total === 0) return <p className="text-small text-muted">{words.pastNone}</p>;
  const shown = calls.slice(0, few);
  return (
    <div>
      <h3 className="mb-1 text-small font-medium text-muted">{words.past(total)}</h3>
      <ul className="divide-y divide-line rounded-base border border-line text-small">
        {shown.map((call) => (
          <Line key={`${call.session} ${call.call_id}`} call={call} />
        ))}
        {total > shown.length && (
          <li className="px-2.5 py-1 text-muted">{words.andMore(total - shown.length)}</li>
        )}
      </ul>
    </div>
  );
}

function Line({ call: { call_id, summary, time } }: { call: PastCall }) {
  const words = useText().approval;
  const known = useCall(call_id);
  return (
    <li className="flex items-center gap-2.5 px-2.5 py-1">
      <span className="shrink-0 text-muted tabular-nums">{dateTime(Date.parse(time))}</span>
      <span className="min-w-0 flex-1 truncate" title={visibleLine(summary)}>
        {visibleLine(summary)}
      </span>
      {known === undefined ? (
        <span className="shrink-0 text-muted">{words.elsewhere}</span>
      ) : (
        <CallStateMark state={known.state} />
      )}
    </li>
  );
}
