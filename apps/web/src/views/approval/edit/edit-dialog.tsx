// Edits the arguments of a call: a form made from the tool's schema, or JSON. The gateway plans and judges the result again.
import type { ToolEntry } from '@codelab/api';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { TabPanel, Tabs } from '../../../ui/tabs.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { SendDecision } from '../answering.ts';
import { ArgInput, JsonInput } from './arg-input.tsx';
import {
  type ArgField,
  type CallArguments,
  fieldsOf,
  parseJsonText,
  readArgFields,
  type Schema,
} from './edit-args.ts';

type Props = {
  approval: ApprovalRequest;
  tool: ToolEntry | undefined;
  isSending: boolean;
  decide: SendDecision;
  onClose(): void;
};

export function EditDialog({ approval, tool, isSending, decide, onClose }: Props) {
  const words = useViewText().approval;
  const [feedback, setFeedback] = useState('');
  const edited = useEditedArgs(tool?.input, approval.args);
  const send = async (): Promise<void> => {
    if (edited.result === undefined) return;
    const comment = feedback.trim();
    const decision = { kind: 'edit' as const, args: { ...edited.result } };
    if (await decide(comment === '' ? decision : { ...decision, feedback: comment })) onClose();
  };
  return (
    <Dialog
      isOpen
      size="base"
      title={words.editTitle(visibleLine(approval.tool))}
      onClose={onClose}
      footer={
        <>
          <span role="status" className="mr-auto self-center text-small text-muted max-two:basis-full">
            {!edited.isChanged && words.nothingChanged}
          </span>
          <Button tone="quiet" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            tone="strong"
            disabled={edited.result === undefined || isSending}
            onClick={() => void send()}
          >
            {isSending && <Spinner className="text-on-accent" />}
            {words.runEdited}
          </Button>
        </>
      }
    >
      <p className="mb-2 text-small text-muted">{words.editHint}</p>
      <Fields edited={edited} />
      <TextField
        className="mt-3"
        label={words.feedback}
        value={feedback}
        maxLength={10_000}
        onChange={({ target }) => setFeedback(target.value)}
      />
    </Dialog>
  );
}

function Fields({ edited }: { edited: EditedArgs }) {
  const words = useViewText().approval;
  return (
    <Tabs
      label={words.arguments}
      value={edited.way}
      items={[
        { id: 'form', label: words.form },
        { id: 'json', label: words.json },
      ]}
      onChange={(way) => edited.go(way === 'json' ? 'json' : 'form')}
    >
      <TabPanel id="form">
        <div className="flex flex-col gap-3 px-0.5 py-3">
          {edited.fields.map((field) => (
            <ArgInput
              key={field.name}
              field={field}
              text={edited.texts[field.name] ?? field.text}
              problem={edited.problems[field.name]}
              onChange={(text) => edited.setText(field.name, text)}
            />
          ))}
        </div>
      </TabPanel>
      <TabPanel id="json">
        <div className="px-0.5 py-3">
          <JsonInput text={edited.json} problem={edited.jsonProblem} onChange={edited.setJson} />
        </div>
      </TabPanel>
    </Tabs>
  );
}

/** The arguments while they are edited, as a form and as JSON; whichever was changed last is what counts. */
type EditedArgs = {
  way: 'form' | 'json';
  fields: readonly ArgField[];
  texts: Readonly<Record<string, string>>;
  json: string;
  problems: Readonly<Record<string, string>>;
  jsonProblem: string | undefined;
  /** The arguments to send; undefined while something is wrong or nothing differs. */
  result: CallArguments | undefined;
  isChanged: boolean;
  go(way: 'form' | 'json'): void;
  setText(name: string, text: string): void;
  setJson(text: string): void;
};

function useEditedArgs(schema: Schema | undefined, original: CallArguments): EditedArgs {
  const words = useViewText().approval;
  const [way, setWay] = useState<'form' | 'json'>('form');
  const [base, setBase] = useState<CallArguments>(original);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState('');
  const fields = fieldsOf(schema, base);
  const form = readArgFields(fields, texts, base);
  const parsed = way === 'json' ? parseJsonText(json) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const jsonProblem =
    way === 'form' || (isObject && !(parsed instanceof Error))
      ? undefined
      : parsed instanceof Error
        ? words.jsonWrong(parsed.message)
        : words.jsonNotObject;
  const isFormGood = Object.keys(form.problems).length === 0;
  const typed = jsonProblem ? undefined : (parsed as CallArguments);
  const formArgs = isFormGood ? form.args : undefined;
  const wanted = way === 'form' ? formArgs : typed;
  const isChanged = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(original);
  return {
    way,
    fields,
    texts,
    json,
    problems: Object.fromEntries(
      Object.entries(form.problems).map(([name, { message }]) => [
        name,
        message === 'number' ? words.numberWrong : words.jsonWrong(message),
      ]),
    ),
    jsonProblem,
    result: isChanged ? wanted : undefined,
    isChanged,
    go(next) {
      // A form that can't be read has nothing to go over to.
      if (next === way || wanted === undefined) return;
      setBase(wanted);
      setTexts({});
      setJson(JSON.stringify(wanted, null, 2));
      setWay(next);
    },
    setText: (name, text) => setTexts((before) => ({ ...before, [name]: text })),
    setJson,
  };
}
