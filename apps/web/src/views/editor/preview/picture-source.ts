// A picture of the workspace as a `data:` address: an image element shows it and runs nothing in it.
import { sessionFiles } from '../../../session/session-files.ts';

export async function pictureSource(path: string): Promise<string> {
  if (/\.svg$/i.test(path)) return svgSource((await sessionFiles.read(path)).text);
  const { media_type, data } = await sessionFiles.picture(path);
  return `data:${media_type};base64,${data}`;
}

export function svgSource(text: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}
