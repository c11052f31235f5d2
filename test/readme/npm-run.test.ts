/**
 * Every tool of `npm run` lists its options with --help and refuses unknown ones. Each option and
 * setting that a long-running line of the README names is in the help of its command.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { USAGE_ERROR } from '../../cli/command-line.ts'
import { orreryHere, startPrograms } from '../e2e/orrery.ts'
import { PROJECT } from '../servers.ts'
import { soaked } from '../soak-mode.ts'
import { INLINE, isLong, SHELL_LINES } from './blocks.ts'
import { type Answer, paste } from './shell.ts'

const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))

type Programs = ReturnType<typeof startPrograms>

/** Scripts that hand their arguments to compilers, tests and npm, not to a program of ours. */
const OTHERS: readonly string[] = ['build', 'test', 'package', 'lint', 'format']
const TOOLS = Object.keys(scripts).filter((name) => !OTHERS.includes(name))

/** Lines that are not run here: they come from the registry, or are made at a release. */
const ELSEWHERE: readonly string[] = [
  'npx wscat -c ws://127.0.0.1:8080/ws',
  'npm run package',
  'npx ./orrery-*.tgz start',
]

/** Returns the line that shows the help of a command; for npm, of the part before the arguments. */
function helpOf(line: string): string {
  const command = line.replace(/^(\w+=\S+ )+/, '').replace(/ --( .*)?$/, '')
  return `${command} ${command.startsWith('npm') ? '-- ' : ''}--help`
}

/** Lines that show the help of the server run as they are typed, and in a soak all of them. */
const isTyped = (line: string): boolean => soaked(/ start\b/.test(line), true)

/** Shows help without a process of its own, which would load modules for seconds. */
async function showHere(line: string, programs: Programs): Promise<Answer> {
  const [runner, ...words] = line.split(' ')
  if (runner === 'npx') return { line, ...(await orreryHere(words.slice(1))) }
  const [, path, extension] = /(?:run\.mjs|node) (\S+?)(\.m?js)?$/.exec(scripts[words[1]]) ?? []
  const file = extension ? `${path}${extension}` : `dist/${path}.js`
  return { line, ...(await programs.run(join(PROJECT, file), ['--help'])) }
}

/** Runs lines two at a time. */
async function pasteAll(lines: readonly string[]): Promise<Map<string, Answer>> {
  const { PATH = '', HOME = '' } = process.env
  const waiting = [...lines]
  const answers = new Map<string, Answer>()
  const work = async (): Promise<void> => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const [answer] = await paste([line], { cwd: PROJECT, env: { PATH, HOME } })
      answers.set(line, answer)
    }
  }
  await Promise.all([work(), work()])
  return answers
}

const README_LINES = [...SHELL_LINES.filter(isLong), ...INLINE].filter(
  (line) => !ELSEWHERE.includes(line),
)
const HELP = TOOLS.map((name) =>
  name === 'start' ? 'npm start -- --help' : `npm run ${name} -- --help`,
)
/** One tool of each folder, or all in the soak: they share one parser of command lines. */
const REFUSING = soaked(['start', 'gen', 'sim', 'careers', 'load'], TOOLS)
const NONSENSE = REFUSING.map((name) => `npm run ${name} -- --no-such-option 2>&1`)

test('--help has every option of the README, and an unknown option exits with 2', async () => {
  expect(OTHERS.filter((name) => !(name in scripts))).toEqual([])
  expect(ELSEWHERE.filter((line) => !INLINE.includes(line))).toEqual([])
  const help = new Set([...HELP, ...README_LINES.map(helpOf)])
  const answers = await pasteAll([...[...help].filter(isTyped), ...NONSENSE])
  const programs = startPrograms()
  onTestFinished(async () => void (await programs.end()))
  for (const line of help) if (!isTyped(line)) answers.set(line, await showHere(line, programs))
  for (const line of help) {
    expect(answers.get(line)).toMatchObject({
      line,
      code: 0,
      stdout: expect.stringContaining('--'),
    })
  }
  for (const line of NONSENSE) {
    const stdout = expect.stringContaining('--no-such-option')
    expect(answers.get(line)).toMatchObject({ line, code: USAGE_ERROR, stdout })
  }
  for (const line of README_LINES) {
    const text = answers.get(helpOf(line))?.stdout ?? ''
    const named = [...line.matchAll(/(?<= )--[a-z][\w-]*|\b[A-Z_]+(?==)/g)].map(([name]) => name)
    expect({ line, missing: named.filter((name) => !text.includes(name)) }).toEqual({
      line,
      missing: [],
    })
  }
})
