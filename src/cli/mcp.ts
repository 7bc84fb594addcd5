import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Command } from 'commander';
import { createMcpServer } from '../mcp/createMcpServer.js';
import { SharedWorkspace } from '../server/SharedWorkspace.js';
import { TopicService } from '../server/topics/TopicService.js';
import type { CliContext } from './context.js';
import { addWorkspaceOption, type WorkspaceOptionValues, workspaceFolderOf } from './options/workspaceOptions.js';
import { packageVersion } from './packageVersion.js';

/** `asof mcp`: a Model Context Protocol server over standard input and output, until the client goes. */
export function mcpCommand(context: CliContext): Command {
  const command = new Command('mcp').description(
    'Serve a workspace to assistants by the Model Context Protocol, over standard input and output',
  );
  return addWorkspaceOption(command).action(async (values: WorkspaceOptionValues) => {
    const shared = await SharedWorkspace.open(workspaceFolderOf(values, context));
    const topics = new TopicService();
    const server = createMcpServer({ shared, topics, now: context.now }, packageVersion());
    try {
      const closed = new Promise<void>((resolve) => {
        server.onclose = resolve;
        // The transport does not tell that its input has ended.
        context.stdin.once('end', resolve);
      });
      await server.connect(new StdioServerTransport());
      await closed;
      await server.close();
    } finally {
      await topics.close();
      await shared.close();
    }
  });
}
