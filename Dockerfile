# Three stages: the packages that production needs, the build, and the image, which takes from both and holds nothing else.
# docs/decisions/operations/0020-container.md says why.
# The tag is for whoever builds by hand. The workflow resolves it to its digest, once for all stages, and passes that.
ARG NODE=node:26.10.0-slim

FROM ${NODE} AS packages
WORKDIR /site
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
# Without "optional", packages that only development asks for would come along as optional peers (Vite, Rollup).
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# npm's own --omit would also drop production packages that development depends on, so package.json forgets development
# first. The bill of materials lists TypeScript, a peer of another package; nothing here runs it.
RUN npm pkg delete devDependencies "overrides[@vanilla-extract/integration]" \
    overrides.esbuild-plugins-node-modules-polyfill \
  && npm sbom --sbom-format=cyclonedx --sbom-type=application > sbom.cdx.json \
  && rm -rf node_modules/typescript

FROM ${NODE} AS build
WORKDIR /site
COPY package.json package-lock.json ./
COPY scripts/empty-package scripts/empty-package
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE}
ARG NODE
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="advisory-website" \
  org.opencontainers.image.description="Website of a strategic advisory, with its backend inside" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.base.name="${NODE}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# glibc's own value. That it is said keeps it from being raised, after which freed memory stays with the process (15 to 35 MB).
ENV MALLOC_TRIM_THRESHOLD_=131072
# Package managers have done their work: nobody who gets in shall find one. The data folder is for its owner only.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /site
COPY --from=packages /site/package.json /site/sbom.cdx.json ./
COPY --from=packages /site/scripts/empty-package scripts/empty-package
COPY --from=packages /site/node_modules node_modules
COPY --from=build /site/build build
COPY public public
COPY bin bin
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "bin/site.mjs", "healthcheck"]
# V8 has one thread for its own work beside the program's, and not four: on two cores they would take turns with who waits.
ENTRYPOINT ["node", "--v8-pool-size=1", "bin/site.mjs"]
CMD ["serve"]
