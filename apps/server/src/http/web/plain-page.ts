// Plain pages for whoever is not signed in or has no web IDE: what is wrong, and what to do.
import { pageHeaders } from './page-headers.ts';

type Page = { headers: Record<string, string>; html: string };

/** Its script signs in, with what the form says or with what the address brought. */
export function signInPage(): Page {
  return plainPage(
    'Sign in',
    `<p role="alert" id="fault"></p>
<form>
<p><label for="token">Token</label></p>
<p><input id="token" name="token" type="password" autocomplete="current-password" required autofocus></p>
<p><button>Sign in</button></p>
</form>
<p><code>codelab sign-in</code> makes a link that signs this browser in once. The token is in the gateway’s ready file.</p>`,
    '<script src="/sign-in.js" defer></script>',
  );
}

/** For a link from elsewhere: the browser holds the cookie back on such a way, and brings it when the page asks for itself. */
export function knockAgainPage(): Page {
  return plainPage('One moment', '<p><a href="/">Go on</a></p>', '<meta http-equiv="refresh" content="0">');
}

export function notBuiltPage(): Page {
  return plainPage(
    'The web IDE is not built',
    `<p>Run <code>npm run build</code> in the folder of CodeLab, then reload this page.</p>
<p>Everything else of the gateway works: see <code>/openapi.json</code>.</p>`,
  );
}

function plainPage(title: string, body: string, head = ''): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${head}
<title>CodeLab: ${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return { html, headers: pageHeaders() };
}
