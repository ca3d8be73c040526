// Tries a command line or a call against the rules. Nothing runs.
import type { PolicyVerdict } from '@codelab/api';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { api } from '../../../api/api.ts';
import { errorMessage } from '../../../error-help.ts';
import { currentText, useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/text-field.tsx';
import { VerdictTree } from './verdict-tree.tsx';

type Kind = 'command' | 'tool';
type Trial = { kind: Kind; command: string; tool: string; args: string };

const example: Trial = {
  kind: 'command',
  command: 'git log | head && rm -rf build',
  tool: 'write_file',
  args: '{ "path": "src/a.js", "content": "" }',
};

export function RuleTester({ session }: { session: string }) {
  const words = useViewText().settings;
  const [trial, setTrial] = useState(example);
  const [judged, setJudged] = useState<PolicyVerdict | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { kind, command, tool } = trial;
    const args = parseTypedArguments(trial.args);
    setJudged(undefined);
    if (kind === 'tool' && args === undefined) return setProblem(words.notJson);
    setProblem(undefined);
    try {
      const call = kind === 'command' ? { command } : { tool, args: args ?? {} };
      setJudged(await api.policy.check({ ...call, ...(session !== '' && { session_id: session }) }));
    } catch (error) {
      setProblem(errorMessage(error, currentText()));
    }
  };
  return (
    <form
      aria-label={words.tester}
      onSubmit={(event) => void check(event)}
      className="flex flex-col gap-3 rounded-large border border-line p-3"
    >
      <div>
        <h3 className="font-semibold">{words.tester}</h3>
        <p className="text-small text-muted">{words.testerHint}</p>
      </div>
      <TrialFields
        trial={trial}
        onChange={(change) => {
          setTrial({ ...trial, ...change });
          if (change.kind !== undefined) setProblem(undefined);
        }}
      />
      <div role="status">
        {problem !== undefined && <p className="wrap-anywhere text-bad">{problem}</p>}
        {judged !== undefined && <VerdictTree judged={judged} />}
      </div>
    </form>
  );
}

type FieldsProps = { trial: Trial; onChange(change: Partial<Trial>): void };

function TrialFields({ trial: { kind, command, tool, args }, onChange }: FieldsProps) {
  const words = useViewText().settings;
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={words.testWhat}
        value={kind}
        onChange={(value) => onChange({ kind: value === 'tool' ? 'tool' : 'command' })}
        options={[
          { value: 'command', label: words.testCommand },
          { value: 'tool', label: words.testTool },
        ]}
      />
      {kind === 'command' ? (
        <TextField
          label={words.commandLine}
          value={command}
          spellCheck={false}
          onChange={({ target }) => onChange({ command: target.value })}
          className="min-w-52 flex-1"
        />
      ) : (
        <>
          <ToolPicker value={tool} onChange={(name) => onChange({ tool: name })} />
          <TextField
            label={words.arguments}
            value={args}
            spellCheck={false}
            onChange={({ target }) => onChange({ args: target.value })}
            className="min-w-52 flex-1"
          />
        </>
      )}
      <Button type="submit" tone="strong">
        {words.check}
      </Button>
    </div>
  );
}

// Arguments of a call as somebody typed them. Undefined when they are not one JSON object.
export function parseTypedArguments(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

// The name of a tool, with those there are to choose from.
function ToolPicker({ value, onChange }: { value: string; onChange(tool: string): void }) {
  const words = useViewText().settings;
  const list = useId();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isGone = false;
    // Without the list a name can still be typed.
    api.catalogue.tools().then(
      ({ tools }) => !isGone && setNames(tools.map(({ name }) => name)),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <>
      <TextField
        label={words.tool}
        value={value}
        list={list}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        className="w-44"
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
