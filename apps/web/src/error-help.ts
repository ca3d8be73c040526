// The next step for an error, by its code. The build inserts the protocol's table, so that its schemas are not loaded.
declare const __ERROR_HELP__: Readonly<Record<string, string>>;

export function errorHelp(code: string): string | undefined {
  return Object.hasOwn(__ERROR_HELP__, code) ? __ERROR_HELP__[code] : undefined;
}
