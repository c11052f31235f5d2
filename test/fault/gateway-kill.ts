/**
 * Kills gateways repeatedly under load: their players must log in at the other one within a second,
 * and every accepted command must have exactly one outcome.
 * `node dist/test/fault/gateway-kill.js --count 200 [--players 6] [--seed 1]`. Source: SCALE 6.
 */
import { type TestDatabase, withDatabase } from '../databases.ts'
import { type Crew, startCrew } from './crew.ts'
import { endNodes, openNodes, settleNodes } from './nodes.ts'
import { dice, runAsProgram, sleep, until, type Verdict } from './program.ts'

interface KillsOptions {
  readonly database: TestDatabase
  readonly count: number
  readonly players: number
  readonly seed: number
  readonly say?: (text: string) => void
}

interface GatewayKills extends Verdict {
  /** Milliseconds from each kill until each player had logged in at the other gateway. */
  readonly loginMs: readonly number[]
}

/** SCALE 6, row 3; judged only on a machine with no other load. */
const LOGIN_MS_MAX = 1_000
const WORK_MS = 1_000

type Member = Crew['members'][number]

/** Resolves with the milliseconds that each member has taken to log in again. */
async function untilReconnected({ members }: Crew, before: readonly number[]): Promise<number[]> {
  const sinceMs = performance.now()
  const reconnect = async (member: Member, i: number): Promise<number> => {
    const isIn = (): boolean => {
      const { client, connections } = member
      return client !== undefined && !client.closed && connections > before[i]
    }
    await until(`${member.name} logged in again`, isIn)
    return performance.now() - sinceMs
  }
  return Promise.all(members.map(reconnect))
}

export async function killGateways(options: KillsOptions): Promise<GatewayKills> {
  const { database, count, players, seed, say = () => {} } = options
  const nodes = await openNodes({ database, gateways: 2 })
  const { broken, gateways } = nodes
  const roll = dice(seed)
  const crew = startCrew({ url: () => gateways[0].url, players, seed })
  const loginMs: number[] = []
  try {
    await crew.untilLoggedIn()
    for (let i = 0; i < count; i++) {
      await sleep(WORK_MS * (0.5 + roll()))
      const [killed, other] = gateways
      const before = crew.members.map(({ connections }) => connections)
      gateways.reverse()
      killed.process.kill('SIGKILL')
      const tookMs = await untilReconnected(crew, before)
      loginMs.push(...tookMs)
      say(`gateway ${i + 1} of ${count}: logged in after ${tookMs.map(Math.round).join(', ')} ms`)
      if (other.process.exitCode !== null)
        throw new Error(`the other gateway ended: ${other.log()}`)
      gateways[1] = await nodes.start('gateway')
    }
    const { results, hash, unheard } = await settleNodes(nodes, crew)
    say(unheard.join('\n'))
    const summary =
      `${count} gateways killed: all logged in elsewhere after at most ` +
      `${Math.round(Math.max(0, ...loginMs))} ms; ${results} acknowledged results, ` +
      `${unheard.length} outcomes never read, hash ${hash}`
    return { summary, broken, loginMs }
  } finally {
    await endNodes(nodes)
  }
}

await runAsProgram(
  {
    module: import.meta.url,
    about: 'Kills gateways of a world under load; their players log in at the other one.',
    defaults: { count: 200, players: 6, seed: 1 },
  },
  async (flags) => {
    const done = await withDatabase((database) =>
      killGateways({ database, ...flags, say: console.log }),
    )
    const late = done.loginMs.filter((ms) => ms > LOGIN_MS_MAX)
    return {
      summary: done.summary,
      broken: [...done.broken, ...late.map((ms) => `logged in only after ${Math.round(ms)} ms`)],
    }
  },
)
