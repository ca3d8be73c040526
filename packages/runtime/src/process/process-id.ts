// The id a caller gives to a long-running process.
import * as z from 'zod/mini';

export const ProcessId = () => z.string().check(z.regex(/^[\w.:@/-]{1,100}$/));
