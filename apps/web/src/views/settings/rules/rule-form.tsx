// A new rule: its effect, its conditions, its reason, and its scope.
import type { RuleScope } from '@codelab/api';
import type { Rule, RuleEffect } from '@codelab/protocol';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/text-field.tsx';
import { toast, toastError } from '../../../ui/toast.tsx';

type Props = { session: string; isOperator: boolean; onAdded(): void };

const blank: RuleDraft = { effect: 'allow', about: 'command', pattern: '', reason: '' };

export function RuleForm({ session, isOperator, onAdded }: Props) {
  const words = useViewText().settings;
  const [draft, setDraft] = useState(blank);
  const [wanted, setScope] = useState<RuleScope>('workspace');
  const set = (change: Partial<RuleDraft>): void => setDraft({ ...draft, ...change });
  const scopes = scopesFor(isOperator, session);
  const scope = scopes.includes(wanted) ? wanted : scopes[0];
  const isWhole = draft.pattern.trim() !== '' && draft.reason.trim() !== '' && scope !== undefined;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isWhole) return;
    try {
      const rule = newRule(draft, crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? '');
      await api.policy.addRule({ rule, scope, ...(scope === 'session' && { session_id: session }) });
      toast(words.ruleAdded);
      setDraft(blank);
      onAdded();
    } catch (error) {
      toastError(error);
    }
  };
  if (scope === undefined) return null;
  return (
    <form
      aria-label={words.addRule}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-3 rounded-large border border-line p-3"
    >
      <h4 className="font-semibold">{words.addRule}</h4>
      <Choices {...{ draft, scope, scopes }} onChange={set} onScope={setScope} />
      <Wording draft={draft} onChange={set} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!isWhole}>
          {words.addRule}
        </Button>
        {draft.effect === 'allow' && <p className="text-small text-muted">{words.allowHint}</p>}
      </div>
    </form>
  );
}

type ChoicesProps = {
  draft: RuleDraft;
  scope: RuleScope;
  scopes: readonly RuleScope[];
  onChange(change: Partial<RuleDraft>): void;
  onScope(scope: RuleScope): void;
};

function Choices({ draft, scope, scopes, onChange, onScope }: ChoicesProps) {
  const words = useViewText().settings;
  const scopeLabels = Object.fromEntries(scopes.map((id) => [id, words.scopes[id]]));
  return (
    <div className="grid grid-cols-2 gap-2 @2xl:grid-cols-3">
      <Choice
        label={words.effect}
        value={draft.effect}
        labels={words.effects}
        onChange={(effect) => onChange({ effect })}
      />
      <Choice
        label={words.about}
        value={draft.about}
        labels={{ command: words.aboutCommand, path: words.aboutPath, tool: words.aboutTool }}
        onChange={(about) => onChange({ about })}
      />
      <Choice
        label={words.scope}
        value={scope}
        labels={scopeLabels as Record<RuleScope, string>}
        onChange={onScope}
      />
    </div>
  );
}

type WordingProps = { draft: RuleDraft; onChange(change: Partial<RuleDraft>): void };

function Wording({ draft, onChange }: WordingProps) {
  const words = useViewText().settings;
  return (
    <>
      <TextField
        label={words.pattern}
        hint={words.patternHints[draft.about]}
        value={draft.pattern}
        spellCheck={false}
        onChange={({ target }) => onChange({ pattern: target.value })}
      />
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        value={draft.reason}
        onChange={({ target }) => onChange({ reason: target.value })}
      />
    </>
  );
}

/** Beyond one session it is the operator's to say. */
function scopesFor(isOperator: boolean, session: string): RuleScope[] {
  return [
    ...(isOperator ? (['workspace', 'user'] as const) : []),
    ...(session === '' ? [] : (['session'] as const)),
  ];
}

type ChoiceProps<Value extends string> = {
  label: string;
  value: Value;
  labels: Record<Value, string>;
  onChange(value: Value): void;
};

function Choice<Value extends string>({ label, value, labels, onChange }: ChoiceProps<Value>) {
  const options = Object.entries<string>(labels).map(([id, name]) => ({ value: id, label: name }));
  return <Select label={label} value={value} options={options} onChange={(id) => onChange(id as Value)} />;
}

// A rule from what somebody filled in. Its id says what it is about and is not likely to be taken.
type RuleDraft = {
  effect: RuleEffect;
  about: 'command' | 'path' | 'tool';
  pattern: string;
  reason: string;
};

const longestId = 60;

/** `mark` keeps two rules about the same apart. */
export function newRule({ effect, about, pattern, reason }: RuleDraft, mark: string): Rule {
  const slug = pattern
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestId);
  const id = [effect, about, slug, mark].filter((part) => part !== '').join('-');
  return { id, effect, reason: reason.trim(), [about]: pattern.trim() };
}
