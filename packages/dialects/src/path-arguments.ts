/** The arguments that hold a path, in the core and on every wire. */
export const pathArguments: readonly string[] = ['path', 'from', 'to', 'file_path', 'notebook_path', 'cwd'];
