// The rules in force, with their sources; saved ones can be removed.
import type { ListedRule } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { usePhrases } from '../../../text/phrases.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast, toastError } from '../../../ui/toast.tsx';
import { VerdictBadge } from './verdict-tree.tsx';

type Props = { rules: readonly ListedRule[]; mayRemove: boolean; onChange(): void };

export function RuleList({ rules, mayRemove, onChange }: Props) {
  const words = useViewText().settings;
  const [query, setQuery] = useState('');
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const spoken = usePhrases();
  const searched = (rule: ListedRule): string =>
    `${rule.id} ${Object.values(spoken.rule(rule)).join(' ')} ${words.layers[rule.layer]}`.toLowerCase();
  const found = rules.filter((rule) => wanted.every((word) => searched(rule).includes(word)));
  // Rules that people added come first.
  const shown = found.toSorted((a, b) => Number(a.layer === 'built-in') - Number(b.layer === 'built-in'));
  const remove = ({ id, layer }: ListedRule): void =>
    void api.policy
      .removeRule(id, layer === 'user' ? 'user' : 'workspace')
      .then(() => {
        toast(words.ruleRemoved);
        onChange();
      })
      .catch(toastError);
  return (
    <>
      <TextField
        type="search"
        label={words.rulesSearch}
        isLabelHidden
        placeholder={words.rulesSearch}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        className="max-w-xs"
      />
      <ul
        aria-label={words.rules}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-96 divide-y divide-line overflow-y-auto rounded-base border border-line"
      >
        {shown.map((rule) => (
          <RuleItem
            key={`${rule.layer} ${rule.id}`}
            rule={rule}
            mayRemove={mayRemove}
            onRemove={() => remove(rule)}
          />
        ))}
        {shown.length === 0 && <li className="p-3 text-muted">{words.rulesNone}</li>}
      </ul>
    </>
  );
}

type ItemProps = { rule: ListedRule; mayRemove: boolean; onRemove(): void };

function RuleItem({ rule, mayRemove, onRemove }: ItemProps) {
  const words = useViewText().settings;
  const { id, effect, layer, removable } = rule;
  const { text, reason } = usePhrases().rule(rule);
  return (
    <li className="flex items-start gap-2 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <VerdictBadge verdict={effect}>{words.effects[effect]}</VerdictBadge>
          <code className="min-w-0 font-mono text-small wrap-anywhere">{visibleLine(text)}</code>
        </p>
        <p className="text-small text-muted wrap-anywhere">
          {visibleLine(reason)} <span className="font-mono text-tiny">({visibleLine(id)})</span>
        </p>
      </div>
      <Badge>{words.layers[layer]}</Badge>
      {removable && mayRemove && (
        <IconButton size="small" icon={Trash2} label={words.removeRule(visibleLine(id))} onClick={onRemove} />
      )}
    </li>
  );
}
