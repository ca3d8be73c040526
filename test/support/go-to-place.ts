// Opens a place of the web IDE as a person does: by the rail, on a phone by the bar or the menu behind its last entry.
import type { Page } from 'playwright-core';

export async function goToPlace(page: Page, name: string): Promise<void> {
  const place = (label: string) =>
    page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: label });
  if ((await place(name).count()) === 0) await place('More').click();
  await place(name).click();
}
