/** Runs both revisions of the public MCP conformance suite on the three addresses of a server. */
import { expect, test } from 'vitest'
import { useTestDatabase, useTestServer } from '../used-server.ts'
import { ABSENCES, PASSES } from './mcp-scenarios.ts'
import { type Findings, runSuite } from './mcp-suite.ts'

const server = useTestServer(useTestDatabase(), { isSmallMap: true })

/** All addresses share one transport and one table of tools, so two for each revision suffice. */
const RUNS = [
  { revision: '2025-11-25', paths: ['/mcp', '/mcp/docs'] },
  { revision: '2026-07-28', paths: ['/mcp', '/mcp/v2'] },
]

const absent = new Map<string, readonly string[]>()
for (const { checks } of ABSENCES)
  for (const [name, ids] of Object.entries(checks))
    absent.set(name, [...(absent.get(name) ?? []), ...ids])

const isUnmet = ({ status }: { status: string }): boolean =>
  status === 'FAILURE' || status === 'WARNING'

/** Lists findings that differ from the tables of scenarios. */
function listSurprises(found: Findings, revision: string): string[] {
  const lines: string[] = []
  for (const [scenario, checks] of found) {
    const lacks = absent.get(scenario)
    if (!lacks && !PASSES[revision].includes(scenario)) lines.push(`${scenario}: unknown`)
    for (const { id, errorMessage } of checks.filter(isUnmet))
      if (!lacks?.includes(id)) lines.push(`${scenario}: ${id} fails: ${errorMessage}`)
    for (const id of lacks ?? [])
      if (!checks.some((check) => check.id === id && isUnmet(check)))
        lines.push(`${scenario}: ${id} applies after all`)
  }
  for (const scenario of PASSES[revision]) {
    const checks = found.get(scenario)
    if (!checks || checks.length === 0) lines.push(`${scenario}: checks nothing`)
  }
  return lines
}

const seen = new Set<string>()

for (const { revision, paths } of RUNS)
  test(`every check of ${revision} that applies to a game passes`, async () => {
    const runs = await Promise.all(paths.map((path) => runSuite(server.url + path, revision)))
    for (const [i, found] of runs.entries()) {
      for (const scenario of found.keys()) seen.add(scenario)
      expect({ path: paths[i], surprises: listSurprises(found, revision) }).toEqual({
        path: paths[i],
        surprises: [],
      })
      const checks = [...found.values()].flat()
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length
      const unmet = checks.filter(isUnmet).length
      console.log(
        `${paths[i]}, ${revision}: ${found.size} scenarios, ${passed} checks pass, ${unmet} do not apply`,
      )
    }
  })

test('the table of absences names only scenarios of the suite', () => {
  expect([...absent.keys()].filter((name) => !seen.has(name))).toEqual([])
})
