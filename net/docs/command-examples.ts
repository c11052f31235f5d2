/**
 * Examples of a command: in a shell, in TypeScript and Python without further libraries, by MCP and
 * over a WebSocket. All are generated from its definition, with the same parameters.
 */
import type { V2CommandView } from '../command-view.ts'
import { type DocumentedCommand, exampleFrames, exampleParams } from './commands-page.ts'
import { pretty } from './examples.ts'
import { escapeHtml } from './page.ts'

export interface CommandExample {
  readonly title: string
  readonly lang: string
  readonly text: string
}

interface Call {
  readonly url: string
  readonly body: Record<string, unknown>
  /** False for a command that needs no session or creates one. */
  readonly hasSession: boolean
}

/** Quotes a text for a shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const curlText = ({ url, body, hasSession }: Call): string =>
  [
    `curl -sS ${url} \\`,
    `  -H 'Content-Type: application/json' \\`,
    ...(hasSession ? [`  -H "X-Session-Id: $SESSION" \\`] : []),
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ].join('\n')

const typescriptText = ({ url, body, hasSession }: Call): string =>
  [
    `const answer = await fetch('${url}', {`,
    `  method: 'POST',`,
    '  headers: {',
    `    'Content-Type': 'application/json',`,
    ...(hasSession ? [`    'X-Session-Id': process.env.SESSION ?? '',`] : []),
    '  },',
    `  body: JSON.stringify(${pretty(body, '  ')}),`,
    '})',
    'const { error, result } = await answer.json()',
    'console.log(error ?? result)',
  ].join('\n')

/** Returns a JSON value as Python source. */
function pythonText(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${pythonText(member)}`,
  )
  return `{${members.join(', ')}}`
}

const pythonScript = ({ url, body, hasSession }: Call): string =>
  [
    'import json',
    ...(hasSession ? ['import os'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    data=json.dumps(${pythonText(body)}).encode(),`,
    '    headers={',
    '        "Content-Type": "application/json",',
    ...(hasSession ? ['        "X-Session-Id": os.environ["SESSION"],'] : []),
    '    },',
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as answer:',
    '        print(json.load(answer)["result"])',
    'except urllib.error.HTTPError as refusal:',
    '    print(json.load(refusal)["error"])',
  ].join('\n')

const isGrouped = (view: object): view is V2CommandView => 'tool' in view

/** Returns the examples of a command for the server at `base`. */
export function commandExamples(command: DocumentedCommand, base: string): CommandExample[] {
  const view = command.v2 ?? command.v1
  if (!view) return []
  const { def } = command
  const body = exampleParams(view)
  const hasSession = !(def.kind === 'session' && def.open === true)
  const version = isGrouped(view) ? 2 : 1
  const call = { url: `${base}/api/v${version}/${view.address}`, body, hasSession }
  const action = isGrouped(view) && view.action !== '' ? { action: view.action } : {}
  const session = hasSession ? { session_id: 'SESSION' } : {}
  const params = {
    name: isGrouped(view) ? view.tool : view.address,
    arguments: { ...action, ...body, ...session },
  }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  return [
    { title: 'curl', lang: 'sh', text: curlText(call) },
    { title: 'TypeScript', lang: 'ts', text: typescriptText(call) },
    { title: 'Python', lang: 'python', text: pythonScript(call) },
    { title: 'MCP', lang: 'json', text: pretty(request) },
    { title: 'WebSocket', lang: 'json', text: exampleFrames(command).join('\n') },
  ]
}

/** Returns notes on placeholders: text, and the address and text of a link. */
function placeholderNotes(examples: readonly CommandExample[], command: DocumentedCommand) {
  const needsSession = examples.some(({ text }) => text.includes('SESSION'))
  const [version, address] = command.v2 ? ['v2', '/mcp/v2'] : ['v1', '/mcp']
  const explanation = `SESSION is the id of your session of ${version}: `
  const session = [explanation, '/docs/http#sessions', 'how to create one']
  const mcp = [`The MCP call goes to ${address}: `, '/docs/mcp', 'how to connect']
  return needsSession ? [session, mcp] : [mcp]
}

/** Returns the examples as HTML, one section each; a script turns them into tabs. */
export function examplesHtml(command: DocumentedCommand, base: string): string {
  const examples = commandExamples(command, base)
  const about = placeholderNotes(examples, command).map(
    ([before, href, text]) => `${before}<a href="${href}">${text}</a>.`,
  )
  const sections = examples.map(
    ({ title, lang, text }) =>
      `<section class="tab" id="example-${title.toLowerCase()}"><h3>${title}</h3>` +
      `<pre tabindex="0" data-lang="${lang}"><code>${escapeHtml(text)}</code></pre></section>`,
  )
  return [
    '<section><h2 id="examples">Examples<a class="mark" href="#examples" ',
    'aria-label="Link to Examples">#</a></h2>',
    `<p>${about.join(' ')}</p><div class="tabs">${sections.join('')}</div></section>\n`,
  ].join('')
}

/** Returns the examples as pieces of Markdown. */
export function examplePieces(command: DocumentedCommand, base: string): string[] {
  const examples = commandExamples(command, base)
  const about = placeholderNotes(examples, command).map(
    ([before, href, text]) => `${before}[${text}](${href}).`,
  )
  return [
    '## Examples',
    about.join(' '),
    ...examples.map(({ title, lang, text }) => `### ${title}\n\n\`\`\`${lang}\n${text}\n\`\`\``),
  ]
}
