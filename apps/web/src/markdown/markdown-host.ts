// What Markdown asks of the screen it stands on: opening code as a file, and pictures of the workspace. A screen without them offers neither.
type MarkdownHost = {
  /** `ending`: of the file's name, without its dot. */
  openCode(text: string, ending: string): Promise<void>;
  /** A `data:` address of the picture at a path of the workspace. */
  pictureSource(path: string): Promise<string>;
};

let host: MarkdownHost | undefined;

/** To be called once, before anything is shown. */
export function setMarkdownHost(given: MarkdownHost): void {
  host = given;
}

export function markdownHost(): MarkdownHost | undefined {
  return host;
}
