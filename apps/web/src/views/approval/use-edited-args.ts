// The arguments while they are edited, as a form and as JSON; whichever was changed last is what counts.
import { useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { type ArgField, type Args, fieldsOf, readFields, readJson, type Schema } from './edit-args.ts';

export type EditedArgs = {
  way: 'form' | 'json';
  fields: readonly ArgField[];
  texts: Readonly<Record<string, string>>;
  json: string;
  problems: Readonly<Record<string, string>>;
  jsonProblem: string | undefined;
  /** What would be sent; undefined while something is wrong or nothing differs. */
  result: Args | undefined;
  isChanged: boolean;
  go(way: 'form' | 'json'): void;
  setText(name: string, text: string): void;
  setJson(text: string): void;
};

export function useEditedArgs(schema: Schema | undefined, given: Args): EditedArgs {
  const words = useText().approval;
  const [way, setWay] = useState<'form' | 'json'>('form');
  const [base, setBase] = useState<Args>(given);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [json, setJson] = useState('');
  const fields = fieldsOf(schema, base);
  const form = readFields(fields, texts, base);
  const parsed = way === 'json' ? readJson(json) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  const jsonProblem =
    way === 'form' || (isObject && !(parsed instanceof Error))
      ? undefined
      : parsed instanceof Error
        ? words.jsonWrong(parsed.message)
        : words.jsonNotObject;
  const isFormGood = Object.keys(form.problems).length === 0;
  const wanted =
    way === 'form' ? (isFormGood ? form.args : undefined) : jsonProblem ? undefined : (parsed as Args);
  const isChanged = wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(given);
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
