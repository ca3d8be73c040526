// What one program with its arguments, started without a shell, would start and touch: each word is taken as it is.
import { checkText } from './check-text.ts';
import { type LineReading, readInto, readLine, type Where } from './read-line.ts';

export async function readArgv(argv: readonly string[], where: Where): Promise<LineReading> {
  const text = argv.map(quote).join(' ');
  const fault = argv.map((word) => checkText(`${word} `)).find((one) => one !== undefined);
  if (fault !== undefined || argv.length === 0) return await readLine('\0', where);
  const [{ exactly }, { judgeWords }, { forEachChild, parse }, { walkScript }] = await Promise.all([
    import('./argument.ts'),
    import('./judge-words.ts'),
    import('unbash'),
    import('./walk-script.ts'),
  ]);
  return await readInto(text, where, (scene) => {
    scene.readScript = (source) => walkScript(parse(source), { scene, source, forEachChild });
    judgeWords(argv.map(exactly), text, scene);
  });
}

function quote(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
