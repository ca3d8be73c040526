// The possible reaches of a rule: each with its effect, the earlier calls it would have allowed, and one key that approves and saves it.
import type { ProposedRule, RuleBreadth, RuleScope } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { ChevronRight, ShieldCheck } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Kbd } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { letterOf } from '../answering.ts';
import { ExactRule, PastCalls, ruleConditions } from './proposed-rule.tsx';

type Props = {
  breadths: readonly RuleBreadth[];
  scopes: readonly RuleScope[];
  scope: RuleScope;
  onScope(scope: RuleScope): void;
  isSending: boolean;
  onKeep(breadth: RuleBreadth): void;
};

export function Breadths({ breadths, scopes, scope, onScope, isSending, onKeep }: Props) {
  const words = useViewText().approval;
  const box = useRef<HTMLDivElement>(null);
  // The dialog was open before this was known; whoever has gone to something in it stays there.
  useEffect(() => {
    if (box.current?.closest('dialog') === document.activeElement) box.current?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const chosen = breadths[Number(letterOf(event.nativeEvent) ?? '') - 1];
    if (isSending || chosen === undefined) return;
    event.preventDefault();
    onKeep(chosen);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons inside.
    <div ref={box} tabIndex={-1} onKeyDown={onKeyDown} className="flex flex-col gap-3 outline-none">
      <Scopes scopes={scopes} scope={scope} onScope={onScope} />
      <ul aria-label={words.breadths} className="flex flex-col gap-2">
        {breadths.map((breadth, at) => (
          <Row
            key={breadth.breadth}
            breadth={breadth}
            keys={String(at + 1)}
            isSending={isSending}
            onKeep={() => onKeep(breadth)}
          />
        ))}
      </ul>
    </div>
  );
}

type ScopesProps = Pick<Props, 'scopes' | 'scope' | 'onScope'>;

function Scopes({ scopes, scope, onScope }: ScopesProps) {
  const words = useViewText().approval;
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-small font-medium text-muted">{words.scope}</legend>
      <div className="flex flex-wrap gap-1.5">
        {scopes.map((value) => (
          <label
            key={value}
            className={cx(
              'flex cursor-pointer items-center gap-1.5 rounded-base border px-2.5 py-1',
              value === scope ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={id}
              checked={value === scope}
              onChange={() => onScope(value)}
              className="size-3.5 shrink-0"
            />
            {words.scopes[value]}
          </label>
        ))}
      </div>
      <p className="mt-1 text-small text-muted">{words.scopeHints[scope]}</p>
    </fieldset>
  );
}

type RowProps = {
  breadth: RuleBreadth;
  keys: string;
  isSending: boolean;
  onKeep(): void;
};

function Row({ breadth, keys, isSending, onKeep }: RowProps) {
  const words = useViewText().approval;
  const id = useId();
  return (
    <li className="flex flex-col gap-1.5 rounded-base border border-line bg-surface px-3 py-2">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
        <div className="min-w-48 flex-1">
          <p id={id} className="font-medium">
            {words.breadth[breadth.breadth]}
          </p>
          <p className="font-mono text-small wrap-anywhere empty:hidden">{whatFits(breadth)}</p>
        </div>
        <Button
          size="small"
          tone="plain"
          disabled={isSending}
          aria-describedby={id}
          aria-keyshortcuts={keys}
          icon={<ShieldCheck aria-hidden className="size-3.5 text-good" />}
          onClick={onKeep}
        >
          {words.keepShort}
          <span aria-hidden>
            <Kbd keys={keys} />
          </span>
        </Button>
      </div>
      <EarlierCalls breadth={breadth} />
    </li>
  );
}

/** The earlier calls that the rule would have allowed; unfolded, with the rule itself. */
function EarlierCalls({ breadth }: { breadth: RuleBreadth }) {
  const words = useViewText().approval;
  const [isOpen, setIsOpen] = useState(false);
  const { rule, matches, total_matches: total } = breadth;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex items-center gap-1 self-start rounded-small text-left text-small text-muted hover:text-text"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        {total === 0 ? words.pastNone : words.pastCount(total)}
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 pl-4.5">
          <PastCalls calls={matches} total={total} />
          <p className="text-small text-muted empty:hidden">{ruleConditions(rule, words)}</p>
          <ExactRule rule={rule} />
        </div>
      )}
    </>
  );
}

/** The paths or the words of a command that the rule covers, where its name does not say them. */
function whatFits({ breadth, rule, text }: RuleBreadth): string {
  if (breadth === 'all') return '';
  if (breadth !== 'file' && breadth !== 'folder') return visibleLine(text);
  const places = [rule.path ?? []].flat().map((place) => place.replace(/^\.\//, ''));
  return visibleLine(places.join(', '));
}

/** For a foreign tool there is one rule, by the arguments that are left free; for every other tool the gateway lists the choices. */
export function breadthOptions(proposed: ProposedRule): readonly RuleBreadth[] {
  if (proposed.rule === null || proposed.arguments === undefined) return proposed.breadths ?? [];
  const { rule, text, matches, total_matches } = proposed;
  return [{ breadth: 'exact', rule, text, matches, total_matches }];
}
