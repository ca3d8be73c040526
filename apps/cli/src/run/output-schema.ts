// `--output-schema`: the answer must be JSON that matches a JSON Schema. The model gets the schema, and after a mismatch one more message
// about the fault.
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { UsageError } from '../command-line/define-command.ts';

export type AnswerCheck = {
  /** Added to the end of the role's prompt. */
  instructions: string;
  check(answer: string): { value: unknown } | { problem: string };
};

const maxProblems = 10;

/** A file, or the schema itself. */
export function readOutputSchema(argument: string): AnswerCheck {
  const schema = parseSchema(argument.trimStart().startsWith('{') ? argument : readFile(argument), argument);
  const matches = compile(schema, argument);
  return {
    instructions: `Your final answer must be one JSON value that matches this JSON Schema, with no other text before or after it:\n${JSON.stringify(schema)}`,
    check(answer) {
      const json = findJson(answer);
      if ('problem' in json || matches(json.value)) return json;
      const problems = (matches.errors ?? [])
        .slice(0, maxProblems)
        .map(({ instancePath, message, params }) => {
          const extra =
            'additionalProperty' in params ? ` (${JSON.stringify(params.additionalProperty)})` : '';
          return `${instancePath || 'the value'} ${message ?? 'does not match'}${extra}`;
        });
      return { problem: problems.join('; ') };
    },
  };
}

/** The message to the model before its second try. */
export function schemaRetryText(problem: string): string {
  return `Your answer does not match the required JSON Schema: ${problem}. Answer again with the corrected JSON value only.`;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--output-schema takes a file with a JSON Schema, or the schema itself: ${cause}.`);
  }
}

function parseSchema(text: string, argument: string): AnySchemaObject {
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema;
    throw new Error('it is not a JSON object');
  } catch (error) {
    throw wrongSchema(argument, error);
  }
}

function compile(schema: AnySchemaObject, argument: string): ReturnType<Ajv['compile']> {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const isOlder = /draft-0[4-7]/.test(String(schema.$schema));
  try {
    return isOlder ? new Ajv(options).compile(schema) : new Ajv2020(options).compile(schema);
  } catch (error) {
    throw wrongSchema(argument, error);
  }
}

function wrongSchema(argument: string, error: unknown): UsageError {
  const name = argument.trimStart().startsWith('{') ? 'The schema' : argument;
  const cause = error instanceof Error ? error.message : String(error);
  return new UsageError(`--output-schema: ${name} is not a usable JSON Schema: ${cause}.`);
}

/** The whole answer, or else its last fenced block. */
function findJson(answer: string): { value: unknown } | { problem: string } {
  const blocks = [...answer.matchAll(/^ *```[a-z]*\n([\s\S]*?)\n *```/gim)].map(([, inner = '']) => inner);
  let problem = 'it is empty';
  for (const text of [answer, ...blocks.reverse()]) {
    if (text.trim() === '') continue;
    try {
      return { value: JSON.parse(text) as unknown };
    } catch (error) {
      problem = `it is not JSON (${error instanceof Error ? error.message : String(error)})`;
    }
  }
  return { problem };
}
