// A proposed rule: in a plain sentence, with its scope, the earlier calls it would have decided, and its exact text.
import type { PastCall, ProposedRule as Proposal, RuleScope } from '@codelab/api';
import { type Rule, visible, visibleLine } from '@codelab/protocol';
import { ShieldX } from 'lucide-react';
import { useCall } from '../../../session/session-store.ts';
import type { ViewTexts } from '../../../text/en-views.ts';
import { dateTime } from '../../../text/format.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Checkbox, RadioGroup } from '../../../ui/checkbox.tsx';
import { CallStateMark } from '../../conversation/calls/call-labels.tsx';

type Props = {
  proposed: Extract<Proposal, { rule: Rule }>;
  scope: RuleScope;
  onScope(scope: RuleScope): void;
};

/** The calls that are denied from now on. */
export function RefusingRule({ proposed, scope, onScope }: Props) {
  const words = useViewText().approval;
  const { rule, scopes, matches, total_matches: total } = proposed;
  return (
    <>
      <p className="flex gap-2.5 rounded-base border border-line bg-surface px-3 py-2.5">
        <ShieldX aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <span className="min-w-0 text-read leading-5 wrap-anywhere">
          {words.willBeRefused(whatOf(rule, words), words.inScope[scope])}
        </span>
      </p>
      <RadioGroup
        label={words.scope}
        value={scope}
        options={scopes.map((value) => ({
          value,
          label: words.scopes[value],
          hint: words.scopeHints[value],
        }))}
        onChange={onScope}
      />
      <h3 className="text-small font-medium text-muted">
        {total === 0 ? words.pastNone : words.past(total)}
      </h3>
      <PastCalls calls={matches} total={total} />
      <ExactRule rule={rule} />
    </>
  );
}

export function ExactRule({ rule }: { rule: Rule }) {
  const words = useViewText().approval;
  return (
    <div>
      <h3 className="mb-1 text-small font-medium text-muted">{words.exactRule}</h3>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-50 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
      >
        {visible(JSON.stringify(rule, null, 2))}
      </pre>
    </div>
  );
}

/** The conditions under which the rule holds. */
export function ruleConditions({ sandboxed, prints }: Rule, words: ViewTexts['approval']): string {
  const conditions = [
    ...(sandboxed === true ? [words.onlySandboxed] : []),
    ...(prints !== undefined && prints.length > 0 ? [words.sameBody] : []),
  ];
  return conditions.join(' ');
}

type FreeProps = {
  names: readonly string[];
  /** Arguments that are left free. */
  widen: readonly string[];
  onWiden(names: readonly string[]): void;
};

export function FreeArguments({ names, widen, onWiden }: FreeProps) {
  const words = useViewText().approval;
  if (names.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-small font-medium text-muted">{words.freeArguments}</legend>
      {names.map((name) => (
        <Checkbox
          key={name}
          label={<span className="font-mono text-small">{visibleLine(name)}</span>}
          isChecked={widen.includes(name)}
          onChange={(isFree) => onWiden(isFree ? [...widen, name] : widen.filter((other) => other !== name))}
        />
      ))}
    </fieldset>
  );
}

function whatOf({ tool, path, command }: Rule, words: ViewTexts['approval']): string {
  if (command !== undefined) return `“${spell(command)}”`;
  const name = tool === undefined ? words.everyTool : spell(tool);
  return path === undefined ? name : words.onPath(name, spell(path));
}

function spell(patterns: string | readonly string[]): string {
  return visibleLine([patterns].flat().join(', '));
}

/** The calls of the past that a rule would have decided: when, what, and what became of it where this session knows. */
const few = 8;

export function PastCalls({ calls, total }: { calls: readonly PastCall[]; total: number }) {
  const words = useViewText().approval;
  if (total === 0) return null;
  const shown = calls.slice(0, few);
  return (
    <ul className="divide-y divide-line rounded-base border border-line text-small">
      {shown.map((call) => (
        <Line key={`${call.session} ${call.call_id}`} call={call} />
      ))}
      {total > shown.length && (
        <li className="px-2.5 py-1 text-muted">{words.andMore(total - shown.length)}</li>
      )}
    </ul>
  );
}

function Line({ call: { call_id, summary, time } }: { call: PastCall }) {
  const words = useViewText().approval;
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
