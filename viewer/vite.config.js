// One script and one stylesheet, put into the package; gudgeon.view makes the page around them.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "../src/gudgeon/view/bundle",
    emptyOutDir: true,
    target: "es2022",
    lib: {
      entry: "src/main.js",
      name: "gudgeonViewer",
      formats: ["iife"],
      fileName: () => "viewer.js",
      cssFileName: "viewer",
    },
  },
});
