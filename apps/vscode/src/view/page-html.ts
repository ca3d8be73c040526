// The HTML of the chat view: it loads only the extension's own files, and text of models and tools is never HTML.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The places of the view's own files. */
export function distOf(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
}

export function pageOf(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${webview.cspSource}`,
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('main.css')}">
<title>CodeLab</title>
</head>
<body>
<div id="root"></div>
<script type="module" nonce="${nonce}" src="${address('main.js')}"></script>
</body>
</html>`;
}
