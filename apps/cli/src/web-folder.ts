// Where the build puts the web IDE; the bundle lies as deep as this file does.
import { join } from 'node:path';

export const webFolder = join(import.meta.dirname, '..', '..', 'web', 'dist');
