// The core's texts about a call, and the layout of tables, on a page in Russian and in Chinese: a real browser against a real gateway. The
// wire stays English.
import type { EventBody } from '@codelab/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, card } from '../support/approval-page.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

const expectedTexts = {
  ru: {
    locale: 'ru-RU',
    reason: 'В режиме «Строго» каждая команда требует разрешения. Удаляет файлы.',
    summary: 'Удалить dir/, внутри 2 файла (2 байта)',
    note: 'Попадёт в карантин, вернуть можно в течение',
    risk: 'Удаляет папку со всем содержимым.',
    details: 'Подробности',
    failed: 'Файл не найден',
    missing: 'Файл не найден: File not found: missing.txt',
    next: 'Что дальше: Посмотрите, что есть в папке.',
    gone: 'Такого сеанса нет',
  },
  zh: {
    locale: 'zh-CN',
    reason: '在“严格”模式下，每条命令都需要询问。删除文件。',
    summary: '删除 dir/ 及其中 2 个文件（2 字节）',
    note: '会移入隔离区，',
    risk: '删除目录及其中的所有内容。',
    details: '详情',
    failed: '找不到文件',
    missing: '找不到文件：File not found: missing.txt',
    next: '下一步：请列出目录，查看其中的内容。',
    gone: '没有此会话',
  },
};

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the page', () => {
  let web: PageBench;
  beforeAll(async () => {
    web = await pageBench({ files: { 'dir/a.txt': 'a', 'dir/b.txt': 'b', 'c.txt': 'c' } });
  });
  afterAll(() => web[Symbol.asyncDispose]());
  afterEach(() => expect([web.problems.splice(0), web.gateway.faults.splice(0)]).toEqual([[], []]));

  test.each([
    ['ru', 1440],
    ['ru', 390],
    ['zh', 1024],
  ] as const)(
    'in %s at %i pixels, the usage has heads of one line and no gaps between its tiles',
    async (language, width) => {
      const { log } = web.gateway.running.gateway.host;
      const id = await web.session('Usage');
      const expected = (await log.read(id)).at(-1)?.seq ?? 0;
      const reply = { model: 'm', text: 'Done.', calls: [], stop: 'end' as const };
      const usage = { inputTokens: 216_500, outputTokens: 1300, cost: 0.05 };
      const turn: EventBody[] = [
        { type: 'turn.started', turn: 1, text: 'Go', model: 'm', profile: 'build' },
        { type: 'model.replied', turn: 1, reply: { ...reply, usage } },
        { type: 'turn.ended', turn: 1, end: 'completed' },
      ];
      await log.append(id, turn, { expected });
      const { locale } = expectedTexts[language];
      const page = await web.open({ session: id, locale, viewport: { width, height: 844 } });
      await page.getByRole('log').waitFor({ state: 'attached' });
      await page.evaluate('document.activeElement?.blur()');
      for (const key of ['g', 'u']) await page.keyboard.press(key);
      await page.getByRole('main').locator('dl').first().waitFor();
      const heights = `[...document.querySelectorAll('main table:not(.sr-only)')].at(-2).querySelectorAll('th').values().map((head) => head.offsetHeight).toArray()`;
      expect(Math.max(...((await page.evaluate(heights)) as number[]))).toBeLessThan(40);
      const edges = `(() => {
      const [list] = document.querySelectorAll('main dl');
      const last = list.lastElementChild.getBoundingClientRect();
      return list.getBoundingClientRect().right - last.right;
    })()`;
      expect(await page.evaluate(edges)).toBeLessThan(1);
      // Opened by keyboard, the main area has the focus and no frame around it.
      expect(await page.evaluate(`getComputedStyle(document.querySelector('main')).outlineStyle`)).toBe(
        'none',
      );
      await page.close();
    },
  );

  test.each(['ru', 'zh'] as const)(
    'in %s an approval says its reason, risk, summary and notes in that language',
    async (language) => {
      const { locale, reason, summary, note, risk, details } = expectedTexts[language];
      const id = await web.session(language);
      ask(web, id, ['run_command', { command: 'rm c.txt', network: false }]);
      ask(web, id, ['delete_file', { path: 'dir', recursive: true }]);
      const page = await web.open({ session: id, locale });
      const command = card(page).filter({ hasText: 'rm c.txt' });
      await command.getByText(reason).waitFor();
      const removal = card(page).filter({ hasText: 'dir/' });
      await removal.getByText(summary).waitFor();
      await removal.getByText(note).waitFor();
      await removal.getByRole('button', { name: details }).click();
      await removal.getByText(risk).waitFor();
      const answer = await web.gateway.request(`/api/v1/sessions/${id}/pending-approvals`);
      const wire = await answer.text();
      expect(wire).toContain('Every command is asked in strict mode. Deletes files.');
      expect(wire).toContain('Delete dir/ with 2 files (2 bytes)');
      await page.close();
    },
  );

  test.each(['ru', 'zh'] as const)(
    'in %s a failure says what happened and what to do, before the message in English',
    async (language) => {
      const { locale, missing, failed, next, gone } = expectedTexts[language];
      const id = await web.session('Failures');
      const body = JSON.stringify({ tool: 'read_file', args: { path: 'missing.txt' } });
      await web.gateway.request(`/api/v1/sessions/${id}/calls`, { method: 'POST', body });
      const page = await web.open({ session: id, locale });
      const log = page.getByRole('log');
      await log.getByText(missing).waitFor();
      await log.getByRole('button', { expanded: false }).last().click();
      for (const text of [failed, 'File not found: missing.txt', next])
        await log.getByText(text, { exact: true }).waitFor();
      await page.goto(`${web.gateway.running.url}/#/no-such-session`);
      await page.getByText(gone).first().waitFor();
      // What the browser says of the answer that there is no such session.
      expect(web.problems.splice(0).filter((problem) => !problem.includes('404'))).toEqual([]);
      await page.close();
    },
  );
});
