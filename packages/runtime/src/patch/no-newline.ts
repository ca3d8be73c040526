/** The line of a diff that takes the final `\n` from the line above it. */
export const NO_NEWLINE = '\\ No newline at end of file';
