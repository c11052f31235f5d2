/** The last line of a test run: how many tests passed and failed. */
import type { TestModule } from 'vitest/node'

export default class ClosingReporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      failed += module.errors().length
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++
        else failed++
      }
    }
    console.log(`\n${passed} passed, ${failed} failed`)
    if (failed > 0 || passed === 0) process.exitCode = 1
  }
}
