// What the gateway says about one tool: its schema, and whether its hunks can be chosen. Asked once for all of them.

import type { ToolEntry } from '@codelab/api';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';

let asked: Promise<ReadonlyMap<string, ToolEntry>> | undefined;

/** Undefined while it is not known, and for tools the gateway does not list, such as those of others. */
export function useTool(name: string): ToolEntry | undefined {
  const [tool, setTool] = useState<ToolEntry | undefined>();
  useEffect(() => {
    let isWanted = true;
    void allTools().then((tools) => isWanted && setTool(tools.get(name)));
    return () => {
      isWanted = false;
    };
  }, [name]);
  return tool;
}

async function allTools(): Promise<ReadonlyMap<string, ToolEntry>> {
  asked ??= api.catalogue.tools().then(({ tools }) => new Map(tools.map((tool) => [tool.name, tool])));
  try {
    return await asked;
  } catch {
    // Without it there is less comfort; the next card asks again.
    asked = undefined;
    return new Map();
  }
}
