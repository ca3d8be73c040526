// One approval on a plain page, for anyone who opens its link. The page has no script, and all text is shown literally.
import { type ApprovalRequest, visible, visibleLine } from '@codelab/protocol';

export const approvalPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

export function approvalPage({ tool, args, plan, verdict, deadline }: ApprovalRequest): string {
  const { question, diff } = plan;
  const content = question === undefined ? JSON.stringify(args, null, 2) : question.message;
  const choices = question?.actions ?? ['approve'];
  const buttons = choices.map((action) => button(question === undefined ? 'decision' : 'action', action));
  return page(
    `${visibleLine(tool)}: ${visibleLine(plan.summary)}`,
    [
      `<p><strong>${text(verdict.risk)} risk.</strong> ${text(verdict.reason)}</p>`,
      `<pre>${text(content)}</pre>`,
      ...plan.touches.map(({ path, access }) => `<p>${text(access)}: <code>${line(path)}</code></p>`),
      ...(diff === undefined ? [] : [`<pre>${text(diff.text)}</pre>`]),
      ...(diff?.truncated ? ['<p><strong>The change is longer than what is shown here.</strong></p>'] : []),
      `<p>${deadline === undefined ? '' : `Until ${text(new Date(deadline).toISOString())}. `}The first decision counts.</p>`,
      `<form method="post">${buttons.join(' ')} ${button('decision', 'reject')}</form>`,
    ].join('\n'),
  );
}

export function donePage(message: string): string {
  return page(visibleLine(message), '<p>You can close this page.</p>');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>CodeLab</title></head>
<body>
<h1>${text(title)}</h1>
${body}
</body>
</html>
`;
}

function button(name: string, value: string): string {
  return `<button name="${name}" value="${escaped(value)}">${line(value)}</button>`;
}

function text(content: string): string {
  return escaped(visible(content));
}

function line(content: string): string {
  return escaped(visibleLine(content));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(content: string): string {
  return content.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
