// Texts of "Connect a model", in every language of the page: a separate file, because they are loaded with it and not with the page.
import { visibleLine } from '@codelab/protocol';
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';

const en = {
  title: 'Connect a model',
  hint: 'Choose a model provider. Keys stay on the gateway’s machine and are never shown again.',
  searching: 'Looking for keys and local servers…',
  providers: 'Provider',
  ready: 'found',
  key: 'API key',
  getKey: 'Get a key',
  address: 'Base URL',
  model: 'Model',
  modelName: 'Name of the model',
  connect: 'Test and connect',
  testing: 'Testing…',
  use: 'Use this model',
  connected: (model: string) => `Connected: ${model}`,
  noList: (provider: string) => `${provider} answers, but lists no models. Enter the name of one.`,
  demo: 'Try the scripted demo instead',
  notOperator: 'No model is connected. Only the operator of this gateway can connect one.',
  another: 'Connect another provider',
  other: 'Other (OpenAI-compatible)',
};

const ru: typeof en = {
  title: 'Подключите модель',
  hint: 'Выберите поставщика модели. Ключи остаются на машине шлюза и больше не показываются.',
  searching: 'Поиск ключей и локальных серверов…',
  providers: 'Поставщик',
  ready: 'найден',
  key: 'Ключ API',
  getKey: 'Получить ключ',
  address: 'Базовый URL',
  model: 'Модель',
  modelName: 'Имя модели',
  connect: 'Проверить и подключить',
  testing: 'Проверка…',
  use: 'Использовать эту модель',
  connected: (model) => `Подключено: ${model}`,
  noList: (provider) => `${provider} отвечает, но не перечисляет модели. Введите имя модели.`,
  demo: 'Попробовать демо-сценарий',
  notOperator: 'Модель не подключена. Подключить её может только оператор этого шлюза.',
  another: 'Подключить другого поставщика',
  other: 'Другой (совместимый с OpenAI)',
};

const zh: typeof en = {
  title: '连接模型',
  hint: '选择模型提供方。密钥保存在网关所在的机器上，不会再次显示。',
  searching: '正在查找密钥和本地服务器…',
  providers: '提供方',
  ready: '已找到',
  key: 'API 密钥',
  getKey: '获取密钥',
  address: '基础 URL',
  model: '模型',
  modelName: '模型名称',
  connect: '测试并连接',
  testing: '正在测试…',
  use: '使用此模型',
  connected: (model) => `已连接：${model}`,
  noList: (provider) => `${provider} 有响应，但没有列出模型。请输入模型名称。`,
  demo: '改为试用演示脚本',
  notOperator: '尚未连接模型。只有此网关的操作员可以连接。',
  another: '连接其他提供方',
  other: '其他（兼容 OpenAI）',
};

const all: Record<UiLanguage, typeof en> = { en, ru, zh };

export function useConnectWords(): typeof en {
  return all[useLanguage(({ language }) => language)];
}

/** As a provider calls itself; the row for all others is called so in the language of the page. */
export function labelOf({ name, label }: { name: string; label: string }, words: typeof en): string {
  return name === 'custom' ? words.other : visibleLine(label);
}
