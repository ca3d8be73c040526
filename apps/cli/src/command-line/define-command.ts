// A command is one value: how it is typed, its options as a table (which also makes the help), and what it does.

export type Option = {
  type: 'string' | 'boolean';
  summary: string;
  /** What stands for the value in the help. */
  value?: string;
  choices?: readonly string[];
};

export type Options = Record<string, Option>;

type Value<T extends Option['type']> = T extends 'boolean' ? boolean : string;

export type Given<O extends Options> = {
  words: string[];
  options: { [K in keyof O]?: Value<O[K]['type']> };
};

export type Spec<O extends Options> = {
  /** The words after the options, as the help shows them: `NAME [JSON]`. */
  words: string;
  takes: { min: number; max: number };
  about: string;
  options: O;
  examples?: readonly string[];
  /** Returns the exit code: 0 done, 1 the work failed, 130 interrupted. */
  run(given: Given<O>): Promise<number> | number;
};

export type Command = Spec<Options>;

export function defineCommand<const O extends Options>(spec: Spec<O>): Command {
  return spec;
}
