// Folders that tools fill and can fill again, by the names they are known under everywhere.
const names = new Set([
  ...['node_modules', 'bower_components', '.pnpm-store', '.venv', 'venv', '__pycache__', '.tox', '.nox'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.gradle', '.terraform', '.cache', '.next', '.nuxt'],
  ...['.parcel-cache', '.turbo', '.svelte-kit', '.direnv'],
]);

export function isBuildFolder(name: string): boolean {
  return names.has(name);
}
