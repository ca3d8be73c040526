// The JSON Schemas of the output of `codelab run`, made from the schemas of the log, the signals and the result.
import { AgentSignal, EventBody } from '@codelab/protocol';
import * as z from 'zod/mini';
import { reportedSignals } from './output.ts';
import { RunResult } from './run-result.ts';

export type SchemaForm = 'json' | 'stream-json';

export function runSchema(form: SchemaForm): object {
  const isStream = form === 'stream-json';
  const schema = z.toJSONSchema(isStream ? StreamLine() : RunResult(), { reused: 'ref' });
  const title = isStream ? 'A line of codelab run --output stream-json' : 'codelab run --output json';
  return { ...schema, title };
}

/** The first line: the session of the following lines. */
const SessionLine = () =>
  z.strictObject({
    type: z.literal('session'),
    session: z.string(),
    workspace: z.string(),
    version: z.string(),
  });

/** Entries of the log as they are written, with their number and time. */
const EventLines = () =>
  EventBody().def.options.map((body) =>
    z.extend(body, { seq: z.int().check(z.positive()), time: z.number() }),
  );

const SignalLines = () =>
  AgentSignal().def.options.filter((signal) =>
    reportedSignals.some((type) => signal.shape.type.safeParse(type).success),
  );

const StreamLine = () => z.union([SessionLine(), ...EventLines(), ...SignalLines(), RunResult()]);
