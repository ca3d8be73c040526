// Leads from a notification back to the page. It keeps nothing and answers no request: what is shown is always the gateway's own.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data ?? {}));
});

async function lead({ session = '', approval }) {
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (page === undefined) {
    await self.clients.openWindow(`/#/${encodeURIComponent(session)}`);
    return;
  }
  page.postMessage({ type: 'notice', session, approval });
  await page.focus();
}
