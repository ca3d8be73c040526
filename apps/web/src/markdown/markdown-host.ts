// The screen's services for Markdown: opening code as a file, pictures of the workspace, and diagrams. A screen without them offers none.
type MarkdownHost = {
  /** `ending`: of the file's name, without its dot. */
  openCode(text: string, ending: string): Promise<void>;
  /** A `data:` address of the picture at a path of the workspace. */
  pictureSource(path: string): Promise<string>;
  /** An SVG of a Mermaid diagram. */
  drawDiagram?(source: string): Promise<string>;
};

let host: MarkdownHost | undefined;

/** To be called once, before anything is shown. */
export function setMarkdownHost(screen: MarkdownHost): void {
  host = screen;
}

export function markdownHost(): MarkdownHost | undefined {
  return host;
}
