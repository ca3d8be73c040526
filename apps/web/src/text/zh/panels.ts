// Words of the panels beside the conversation: todo list, context and processes.
// Words of the context panel.
export const zhContext = {
  none: '没有固定的文件',
  noneHint: '加入这里的文件每一轮都会展示给模型。',
  files: '模型每轮都能看到的文件',
  add: '添加文件',
  found: '匹配的文件',
  remove: (path: string) => `移除 ${path}`,
  clear: '全部移除',
  used: '上下文窗口',
  usedOf: (used: string, all: string) => `${used} / ${all} token`,
  usedOnly: (used: string) => `${used} token`,
  pinned: (used: string) => `其中文件 ${used}`,
  tokens: (count: string) => `${count} token`,
  missing: '无法读取',
  noSession: '上下文属于会话，会话从第一条消息开始。',
};

// Words of running commands, long-running processes and their terminals.
export const zhProcesses = {
  none: '没有正在运行的内容',
  noneHint: '正在运行的命令和智能体保持运行的服务及其输出显示在这里。',
  commands: '正在运行的命令',
  processes: '长期运行的进程',
  running: '运行中',
  exited: (code: number) => `已退出，代码 ${code}`,
  ended: '已结束',
  stop: '停止',
  stopping: '正在停止…',
  openTab: '在标签页中打开',
  stopOne: (what: string) => `停止 ${what}`,
  restartOne: (what: string) => `重启 ${what}`,
  show: (what: string) => `显示 ${what} 的输出`,
  input: '输入',
  inputHint: '发送给进程的一行',
  send: '发送',
  sendsEnter: '按 Enter 发送。它会像智能体的调用一样被审查并记录。',
  output: (what: string) => `${what} 的输出`,
  dropped: '较早的输出已不可用。',
  startedAt: (when: string) => `启动于${when}`,
  refused: '规则不允许：',
  waits: '正在对话中等待批准。',
  gone: '它已结束，输出已不可用。',
};

// Words of a person's own terminals.
export const zhTerminals = {
  new: '新建终端',
  end: '结束终端',
  hide: '隐藏终端',
  none: '没有打开的终端',
  hint: '您自己的 shell，位于工作区中，在沙箱之外。规则对它不起作用，代理既不读取也不输入。',
  screen: (what: string) => `${what}：您的终端。Ctrl+\` 离开。`,
  exited: (code: number) => `Shell 已退出，代码 ${code}。`,
  dropped: '开头部分已不再保留。',
  gone: '该终端已随网关结束。',
  close: '关闭',
};

// Words of the search in the project.
export const zhSearch = {
  matchCase: '区分大小写',
  regex: '正则表达式',
  pattern: '包含的文件',
  patternHint: '文件，例如 src/**/*.ts',
  hint: '被忽略的文件、二进制文件和可能含有机密的文件不在搜索范围内。',
  none: '没有结果',
  noneHint: '被忽略的文件、二进制文件和可能含有机密的文件不在搜索范围内。',
  results: '结果',
  lines: '行',
  more: '显示更多',
  found: (lines: number, files: number) => `${files} 个文件中的 ${lines} 行`,
};

// Words of creating, renaming and deleting in the file tree.
export const zhTreeEdit = {
  cancel: '取消',
  nameField: '名称',
  nameIn: (folder: string) => `${folder} 中的名称`,
  editTitles: { file: '新建文件', folder: '新建文件夹', rename: '重命名', delete: '删除？' },
  editVerbs: { file: '创建', folder: '创建', rename: '重命名', delete: '删除' },
  saveFirst: '有未保存的更改，请先保存。',
  made: (path: string) => `已创建 ${path}。可在“更改”中撤销。`,
  renamed: (path: string) => `已重命名为 ${path}。可在“更改”中撤销。`,
  removed: (path: string) => `${path} 已移到回收站。可在“更改”中撤销。`,
  removeFile: (path: string) => `${path} 将移到回收站，之后可以恢复。`,
  removeFolder: (path: string) => `${path} 及其全部内容将移到回收站，之后可以恢复。`,
  removeUnsaved: '未保存的更改将会丢失。',
};
