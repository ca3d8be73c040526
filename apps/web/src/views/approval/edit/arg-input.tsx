// A form field for one argument, by its type.
import { useId } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextField } from '../../../ui/text-field.tsx';
import type { ArgField } from './edit-args.ts';

type Props = { field: ArgField; text: string; problem: string | undefined; onChange(text: string): void };

export function ArgInput({ field, text, problem, onChange }: Props) {
  const words = useViewText().approval;
  const label = field.isRequired ? field.name : `${field.name} (${words.unset})`;
  const name = text === '' ? label : field.name;
  switch (field.kind) {
    case 'switch':
      return (
        <Checkbox
          label={name}
          isChecked={text === 'true'}
          onChange={(isOn) => onChange(isOn ? 'true' : 'false')}
        />
      );
    case 'choice':
      return <Select label={name} value={text} options={optionsOf(field, words.unset)} onChange={onChange} />;
    case 'text':
    case 'number':
      return (
        <TextField
          label={name}
          value={text}
          problem={problem}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          spellCheck={false}
          className="font-mono"
          {...(field.hint !== '' && { hint: field.hint })}
          onChange={({ target }) => onChange(target.value)}
        />
      );
    case 'lines':
    case 'list':
    case 'json':
      return <TextArea field={field} name={name} text={text} problem={problem} onChange={onChange} />;
  }
}

function optionsOf({ choices, isRequired }: ArgField, unset: string): { value: string; label: string }[] {
  const options = choices.map((value) => ({ value, label: value }));
  return isRequired ? options : [{ value: '', label: `(${unset})` }, ...options];
}

function TextArea({ field, name, text, problem, onChange }: Props & { name: string }) {
  const words = useViewText().approval;
  const id = useId();
  const note = problem ?? (field.kind === 'list' ? words.listHint : field.hint);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium text-muted">
        {name} {field.kind === 'json' && <span className="font-normal">· {words.json}</span>}
      </label>
      <textarea
        id={id}
        value={text}
        rows={Math.min(14, Math.max(2, text.split('\n').length + 1))}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={note === '' ? undefined : `${id}-note`}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small aria-invalid:border-bad"
      />
      {note !== '' && (
        <p id={`${id}-note`} className={`text-small ${problem === undefined ? 'text-muted' : 'text-bad'}`}>
          {note}
        </p>
      )}
    </div>
  );
}

/** All arguments as JSON, with what is wrong said at once. */
type JsonProps = { text: string; problem: string | undefined; onChange(text: string): void };

export function JsonInput({ text, problem, onChange }: JsonProps) {
  const words = useViewText().approval;
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <textarea
        aria-label={words.jsonField}
        value={text}
        rows={Math.min(22, Math.max(8, text.split('\n').length + 1))}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small aria-invalid:border-bad"
      />
      {problem !== undefined && (
        <p id={id} role="alert" className="text-small text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
