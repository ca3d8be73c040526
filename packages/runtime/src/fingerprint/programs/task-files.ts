// just and task: the file with the tasks, and the files it includes.
import {
  deeperStep,
  type Family,
  type FollowStep,
  foldersUpward,
  isNew,
  joinPath,
  quietStep,
} from '../step.ts';

type TaskFile = {
  names: RegExp;
  option: RegExp;
  includes(text: string): { path: string; isDynamic: boolean }[];
  /** A line of a recipe. */
  line: RegExp;
};

const quoted = (path: string): { path: string; isDynamic: boolean } => ({
  path,
  isDynamic: /[{$*]/.test(path),
});

const taskFiles: Readonly<Record<string, TaskFile>> = {
  just: {
    names: /^\.?justfile$/i,
    option: /^(?:-f|--justfile)$/,
    includes: (text) => [
      ...[...text.matchAll(/^(?:import\??|mod\??[ \t]+\w+)[ \t]+['"]([^'"\n]+)['"]/gm)].map(([, path = '']) =>
        quoted(path),
      ),
      ...[...text.matchAll(/^mod\??[ \t]+(\w+)[ \t]*$/gm)].flatMap(([, name = '']) =>
        [`${name}.just`, `${name}/mod.just`, `${name}/justfile`, `${name}/.justfile`].map(quoted),
      ),
    ],
    line: /^[ \t]+(\S.*)$/gm,
  },
  task: {
    names: /^taskfile(?:\.dist)?\.ya?ml$/i,
    option: /^(?:-t|--taskfile)$/,
    includes: (text) => {
      const block = /^includes:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*\n)+)/m.exec(text)?.[1] ?? '';
      return [...block.matchAll(/^[ \t]+[\w-]+:[ \t]*["']?([^\s"'#]+)/gm)]
        .map(([, path = '']) => path)
        .filter((path) => /[./]/.test(path))
        .flatMap((path) =>
          /\.ya?ml$/.test(path) ? [path] : [`${path}/Taskfile.yml`, `${path}/Taskfile.yaml`],
        )
        .map(quoted);
    },
    line: /^[ \t]+-[ \t]+(?:cmd:[ \t]*)?(\S.*)$/gm,
  },
};

const plainTask = /^(?:-[vqnsfy]|--(?:verbose|quiet|dry-run|dry|silent|yes|force|summary|unstable))$/;

/** `just` and `task`: the nearest task file above, with the files it includes. */
export const runsTasks: Family = (args, step, name) => {
  const kind = taskFiles[name];
  const { recorder, cwd } = step;
  if (kind === undefined) return;
  const unknownOption = args.find(
    (word) => word?.startsWith('-') && !kind.option.test(word) && !plainTask.test(word),
  );
  if (unknownOption !== undefined) recorder.giveUp(`What ${unknownOption} makes of it is not known.`);
  const at = args.findIndex((word) => word !== undefined && kind.option.test(word));
  const taskFile = at < 0 ? undefined : args[at + 1];
  const found =
    taskFile === undefined
      ? foldersUpward(cwd).flatMap((folder) =>
          [...recorder.names(folder)]
            .filter((fileName) => kind.names.test(fileName))
            .map((fileName) => joinPath(folder, fileName)),
        )[0]
      : recorder.resolve(cwd, taskFile);
  if (found === undefined || !readTasks(found, kind, step))
    recorder.giveUp(`There is no file here that tells ${name} what to run.`);
};

function readTasks(path: string, kind: TaskFile, step: FollowStep): boolean {
  const { recorder } = step;
  if (!isNew(step, path)) return true;
  const text = recorder.text(path);
  if (text === undefined) return false;
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  // The variables of just and task are not expanded here, so lines are followed only as far as their words are plain.
  const lines = [...text.matchAll(kind.line)].map(([, line = '']) => line.replace(/^[@-]+|^["']|["']$/g, ''));
  recorder.run(path, lines.join('\n'));
  for (const line of lines) step.followText(line, { ...quietStep(deeperStep(step)), cwd: folder });
  for (const { path: included, isDynamic } of kind.includes(text)) {
    if (isDynamic) recorder.giveUp(`${path} includes ${included}, which is unknown before the run.`);
    const place = isDynamic ? undefined : recorder.resolve(folder, included);
    if (place !== undefined) readTasks(place, kind, step);
  }
  return true;
}
