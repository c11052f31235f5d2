/**
 * Plays the first hour with the command line of the public MCP inspector, one run per command.
 * Run it by hand against a server with short ticks: `TICK_MS=1000 LIMITS=off npm start`, then
 * `npm run inspector-hour -- --url http://127.0.0.1:8080/mcp`. Needs the inspector, which needs
 * Node 22.19: `npm i @modelcontextprotocol/inspector` in any folder, given as `--inspector FOLDER`.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'

const run = promisify(execFile)
const values = new Command('npm run inspector-hour --')
  .description('Plays the first hour by the command line of the public MCP inspector.')
  .option('--url <url>', 'the server', 'http://127.0.0.1:8080/mcp')
  .option('--inspector <folder>', 'where the inspector is installed', '.')
  .option('--node <path>', 'a Node from 22.19', process.execPath)
  .showHelpAfterError('(--help lists what there is)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts()
const LAUNCHER = join(
  values.inspector,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
const ANSWER_BYTES_MAX = 64 * 1024 * 1024
const MINED_MAX = 200

function stop(reason) {
  console.error(reason)
  process.exit(1)
}

async function checkTools() {
  const { stdout } = await run(values.node, ['--version']).catch(() => ({ stdout: '' }))
  const [major = 0, minor = 0] = stdout.replace(/^v/, '').split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19))
    stop(`The inspector needs Node 22.19; this is ${stdout.trim() || 'none'}. Give --node PATH.`)
  if (!existsSync(LAUNCHER)) stop(`There is no inspector at ${LAUNCHER}. Give --inspector FOLDER.`)
}

/** Runs the inspector once and returns its standard output as JSON. */
async function inspect(...args) {
  const all = [LAUNCHER, '--cli', values.url, '--transport', 'http', ...args]
  const { stdout } = await run(values.node, all, { maxBuffer: ANSWER_BYTES_MAX })
  return JSON.parse(stdout)
}

let session
let calls = 0

async function play(tool, params = {}) {
  const given = Object.entries({ ...params, ...(session ? { session_id: session } : {}) })
  const pairs = given.map(([name, value]) => `${name}=${value}`)
  const own = pairs.length > 0 ? ['--tool-arg', ...pairs] : []
  const answer = await inspect('--method', 'tools/call', '--tool-name', tool, ...own)
  calls += 1
  if (answer.isError) throw new Error(`${tool}: ${answer.content[0].text}`)
  return answer.structuredContent
}

const say = (...words) => console.log(...words)
const must = (isTrue, problem) => isTrue || stop(`The hour stops: ${problem}.`)

async function mineUntilFull() {
  for (let i = 0; i < MINED_MAX; i++) {
    const { used, capacity } = await play('get_cargo')
    if (used >= capacity) return say(`the hold is full: ${used} of ${capacity}, mined ${i} times`)
    await play('mine')
  }
  stop('The hold is never full.')
}

async function sellAll() {
  const before = (await play('get_status')).player.credits
  const { cargo } = await play('get_cargo')
  for (const { item_id, quantity } of cargo) await play('sell', { item_id, quantity })
  const after = (await play('get_status')).player.credits
  must(after > before, 'selling earned nothing')
  say(`sold the hold: ${before} credits, then ${after}`)
}

async function playHour(username) {
  const { password } = await play('register', {
    username,
    empire: 'solarian',
    registration_code: 'inspector',
  }).then((made) => {
    session = made.session_id
    return made
  })
  say(`registered ${username}`)
  const { pois, connections } = await play('get_system').then(({ system, ...own }) => ({
    ...own,
    ...system,
  }))
  const belt = pois.find((poi) => poi.type === 'asteroid_belt' && poi.class !== 'ice_field')
  const home = pois.find((poi) => poi.has_base)
  must(belt && home && connections?.[0], 'no belt, base or way out')
  await play('undock')
  await play('travel', { target_poi: belt.id })
  say(`arrived at ${belt.id}`)
  await mineUntilFull()
  await play('travel', { target_poi: home.id })
  await play('dock')
  await sellAll()
  await play('refuel')
  await play('jump', { target_system: connections[0].system_id })
  say(`jumped to ${connections[0].system_id}`)
  const content = 'A first hour by inspector.'
  await play('chat', { channel: 'system', content })
  const history = await play('get_chat_history', { channel: 'system' })
  must(JSON.stringify(history).includes(content), 'the chat history lacks the message')
  await play('logout')
  session = undefined
  session = (await play('login', { username, password })).session_id
  const { player } = await play('get_status')
  must(player.current_system === connections[0].system_id, 'the player is elsewhere')
  await play('logout')
  say(`back in ${player.current_system} with ${player.credits} credits`)
}

await checkTools()
const { tools } = await inspect('--method', 'tools/list')
say(`the inspector lists ${tools.length} tools at ${values.url}`)
const since = performance.now()
await playHour(`Inspector ${Date.now().toString(36)}`)
say(`the hour passes: ${calls} calls in ${((performance.now() - since) / 1000).toFixed(0)} s`)
