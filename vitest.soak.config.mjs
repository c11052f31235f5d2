import { defineConfig } from 'vitest/config'
import { SOAK_FILES } from './dist/test/soak-files.js'
import { shared } from './vitest.config.mjs'

/** `npm run soak`: the long runs, and those of `npm test` that go on longer there. */
export default defineConfig({
  // These compute nearly all the time.
  test: { ...shared, maxWorkers: 2, include: SOAK_FILES.map((file) => `dist/test/${file}`) },
})
