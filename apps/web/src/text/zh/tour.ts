// Texts of the first tour and of suggested first messages.
export const zhTour = {
  name: '导览',
  step: (at: number, of: number) => `第 ${at} 步，共 ${of} 步`,
  skip: '跳过导览',
  next: '下一步',
  done: '完成',
  waiting: '正在等待智能体…',
  prompt: '修好这个商店并运行测试',
  ask: {
    title: '提出一个请求',
    text: '这个工作区是一个有三处错误的小商店。演示模型只是脚本，没有 AI；但工具、审批和撤销都是真实的。发送这条消息即可开始：',
    act: '发送',
  },
  review: {
    title: '先看再做',
    text: '智能体想修改 src/cart.js。您会看到确切的更改。可以全部批准，也可以逐块审查，只选择一部分。在您决定之前不会写入任何内容。',
  },
  run: {
    title: '查看命令做什么',
    text: '现在它想运行测试。命令按部分显示，并说明每部分能做什么。批准后即可看到结果。',
  },
  summary: {
    title: '查看结果',
    text: '总结说明做了什么、哪些测试通过。展开上方任意步骤可查看输入、输出和批准者。',
  },
  undo: {
    title: '撤销更改',
    text: '每一轮的每处更改都可以撤销，重启之后也可以。在“更改”中撤销，或直接在这里撤销。',
    act: '撤销这次编辑',
  },
  end: {
    title: '导览结束',
    text: '命令面板能找到所有操作，审计显示每次调用。准备好后，可在设置中选择真实的模型。',
    act: '打开设置',
  },
};
