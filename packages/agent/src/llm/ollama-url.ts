// OLLAMA_HOST as Ollama reads it: a host, a port or both, with or without a scheme; where it listens is where it is asked.
export function ollamaUrl(host = ''): string {
  const text = host.trim();
  const [, scheme = '', rest = ''] = /^(?:(https?):\/\/)?(.*)$/.exec(text) ?? [];
  const [place = '', ...path] = rest.split('/');
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(place) ?? ['', place, ''];
  const asked = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name;
  const shownPort = port || (scheme === '' ? '11434' : '');
  return `${scheme || 'http'}://${asked}${shownPort && `:${shownPort}`}/${path.join('/')}`;
}
