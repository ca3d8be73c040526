// What to do about an error, by its code: the protocol's own table, put in when the page is built, without all that checks it.
declare const __ERROR_HELP__: Readonly<Record<string, string>>;

export function errorHelp(code: string): string | undefined {
  return Object.hasOwn(__ERROR_HELP__, code) ? __ERROR_HELP__[code] : undefined;
}
