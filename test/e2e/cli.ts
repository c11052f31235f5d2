/** Runs the operators' tools under vitest, and checks how they refuse. */
import { expect } from 'vitest'
import { orreryHere } from './orrery.ts'

export { orrery, orreryHere, spawnOrrery } from './orrery.ts'

/** Runs a tool that must fail, and returns its error message, which must have no stack trace. */
export async function refusalOf(
  line: string,
  { code, settings = {} }: { code: number; settings?: Readonly<Record<string, string>> },
): Promise<string> {
  const ran = await orreryHere(line.split(' '), settings)
  expect({ line, code: ran.code, stdout: ran.stdout }).toMatchObject({ line, code })
  expect(ran.stderr).not.toMatch(/\n\s+at /)
  return ran.stderr
}
