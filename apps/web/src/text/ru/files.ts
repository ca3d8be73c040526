// Words of the file tree.
import { plural } from '../plural.ts';

export const ruFiles = {
  name: 'Файлы',
  tree: 'Файлы рабочей папки',
  filter: 'Найти файл',
  refresh: 'Обновить',
  collapse: 'Свернуть все папки',
  loading: 'Папка читается…',
  empty: 'Папка пуста.',
  none: 'Подходящих файлов нет.',
  failed: 'Не удалось прочитать папку:',
  cut: 'Показано не всё содержимое папки.',
  found: (count: number) =>
    plural('ru', count, {
      one: 'Найден # файл',
      few: 'Найдено # файла',
      many: 'Найдено # файлов',
      other: 'Найдено # файла',
    }),
  more: (name: string) => `Действия с «${name}»`,
  open: 'Открыть',
  copyPath: 'Скопировать путь',
  copied: 'Путь скопирован.',
  addToContext: 'Добавить в контекст',
  inContext: (path: string) => `${path} добавлен в контекст`,
  mention: 'Упомянуть в сообщении',
  noSession: 'Сначала отправьте сообщение: контекст принадлежит сеансу.',
  recent: 'Недавно открытые',
  newFile: 'Новый файл',
  newFolder: 'Новая папка',
  rename: 'Переименовать',
  remove: 'Удалить',
  marksInside: 'внутри есть изменения',
  gitMarks: {
    added: 'нет в последнем коммите',
    changed: 'изменён после последнего коммита',
    deleted: 'удалён после последнего коммита',
    conflict: 'в конфликте',
  },
  marks: {
    added: 'создан в этом сеансе',
    changed: 'изменён в этом сеансе',
    deleted: 'удалён в этом сеансе',
    conflict: 'в конфликте',
  },
  unsaved: 'не сохранён',
};
