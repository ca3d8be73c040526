// Words of the context panel.
export const context = {
  name: 'Контекст',
  none: 'В контексте нет файлов',
  noneHint: 'Добавленные сюда файлы модель видит на каждом ходу.',
  files: 'Файлы, которые модель видит на каждом ходу',
  add: 'Добавить файл',
  found: 'Подходящие файлы',
  remove: (path: string) => `Убрать ${path}`,
  clear: 'Убрать все',
  used: 'Место в контексте модели',
  usedOf: (used: string, all: string) => `${used} из ${all} токенов`,
  usedOnly: (used: string) => `${used} токенов`,
  pinned: (used: string) => `из них файлы: ${used}`,
  tokens: (count: string) => `${count} токенов`,
  missing: 'сейчас не читается',
  noSession: 'Контекст есть у сеанса, а он начинается с первого сообщения.',
};
